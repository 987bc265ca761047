import { requireServer } from './context/require-seen.js';
import { filled, SERVER_NAME, tool, wholeUpTo } from './context/tool.js';

/** Comparing a word takes time in the square of its length, and each word of a query is compared with all words. */
const MAX_QUERY_LENGTH = 200;
const MAX_LIMIT = 100;
const DEFAULT_LIMIT = 10;

/** Finds tools of all servers by words. */
export const searchTools = tool({
  definition: {
    name: 'search_tools',
    title: 'Search the tools of all servers',
    description: 'Finds tools by words in their names, descriptions and parameters, the best first.',
    inputSchema: {
      type: 'object',
      properties: {
        query: {
          type: 'string',
          minLength: 1,
          maxLength: MAX_QUERY_LENGTH,
          description: 'Words, such as "create issue"',
        },
        detail: {
          type: 'string',
          enum: ['name', 'description', 'definition'],
          description: 'How much to show of each tool; description by default',
        },
        limit: { type: 'integer', minimum: 1, maximum: MAX_LIMIT, description: '10 by default' },
        server: { ...SERVER_NAME, description: 'Only the tools of this server' },
      },
      required: ['query'],
      additionalProperties: false,
    },
    outputSchema: {
      type: 'object',
      properties: {
        tools: { type: 'array', items: { type: 'object' } },
        total: { type: 'integer', description: 'How many match, shown or not' },
      },
      required: ['tools', 'total'],
    },
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  },
  input: (z) =>
    z.strictObject({
      query: filled(z).check(z.maxLength(MAX_QUERY_LENGTH)),
      detail: z.optional(z.enum(['name', 'description', 'definition'])),
      limit: z.optional(wholeUpTo(MAX_LIMIT, z)),
      server: z.optional(filled(z)),
    }),
  async run({ query, detail = 'description', limit = DEFAULT_LIMIT, server }, context) {
    if (server !== undefined) requireServer(server, context);
    // Loaded with the first search: most sessions never make one.
    const { toolsFound } = await import('./tool-search.js');
    return toolsFound(context.catalog.snapshot(), { query, detail, limit, server });
  },
});
