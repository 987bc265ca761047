import { isFirstStart } from '../catalog/exposed-definition.js';
import { requireServer } from './context/require-seen.js';
import { choice, optional, text, integerUpTo } from './context/fields.js';
import type { ToolContext } from './context/tool-context.js';
import { listSchema, objectSchema, tool } from './context/tool.js';

/** The maximum length of a query, in characters. Fuzzy matching takes quadratic time in the length of a word. */
const MAX_QUERY_LENGTH = 200;
const MAX_RESULTS = 100;
const DEFAULT_LIMIT = 10;

/** Finds tools of any server by keywords. */
export const searchTools = tool(
  {
    name: 'search_tools',
    title: 'Search the tools of all servers',
    description: 'Finds tools by words in their names, descriptions and parameters, the best first.',
    outputSchema: objectSchema(
      {
        tools: listSchema({ type: 'object' }),
        total: { type: 'integer', description: 'Number of matching tools, returned or not' },
      },
      ['tools', 'total'],
    ),
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  },
  {
    query: text('Words, such as "create issue"', MAX_QUERY_LENGTH),
    detail: optional(
      choice(['name', 'description', 'definition'], 'How much to show of each tool; description by default'),
    ),
    limit: optional(integerUpTo(MAX_RESULTS, '10 by default')),
    server: optional(text('Only the tools of this server')),
  },
  async ({ query, detail = 'description', limit = DEFAULT_LIMIT, server }, context) => {
    if (server !== undefined) requireServer(server, context);
    // The index is loaded on the first search, because most sessions never search.
    const { findTools } = await import('./search/tool-search.js');
    const { unlistedTools: ownTools, client, catalog } = context;
    const startingNames = startingServers(server, context);
    const { json, names } = findTools(catalog.snapshot(), {
      query,
      detail,
      limit,
      server,
      ownTools,
      startingNames,
    });
    // A model cannot choose by names alone, so listing all tools that match would cost more than the search saves.
    if (detail !== 'name') await client.revealTools?.(names);
    return json;
  },
);

/**
 * Returns the servers whose tools are unknown because the servers are starting for the first time. The output schema
 * does not mention the member `starting`, because clients pin definitions and users would have to approve the change.
 */
function startingServers(server: string | undefined, { registry, client }: ToolContext): readonly string[] {
  return registry
    .list()
    .filter(isFirstStart)
    .filter((upstream) => client.view.sees(upstream) && (server ?? upstream.name) === upstream.name)
    .map(({ name }) => name);
}
