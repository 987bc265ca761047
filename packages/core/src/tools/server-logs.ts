import { requireSeen, requireServer } from './context/require-seen.js';
import { filled, SERVER_NAME, tool, wholeUpTo } from './context/tool.js';

const MAX_LINES = 500;
const DEFAULT_LINES = 50;

/** Shows the journal of a server. */
export const serverLogs = tool({
  definition: {
    name: 'server_logs',
    title: 'Read the log of an MCP server',
    description:
      'Shows what happened to a server lately and the last lines of its stderr, also after it failed to start.',
    inputSchema: {
      type: 'object',
      properties: {
        name: SERVER_NAME,
        lines: { type: 'integer', minimum: 1, maximum: MAX_LINES, description: '50 by default' },
      },
      required: ['name'],
      additionalProperties: false,
    },
    outputSchema: {
      type: 'object',
      properties: {
        name: { type: 'string' },
        entries: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              kind: { type: 'string', enum: ['event', 'stderr'] },
              text: { type: 'string' },
              seconds_ago: { type: 'number' },
            },
            required: ['kind', 'text', 'seconds_ago'],
          },
        },
      },
      required: ['name', 'entries'],
    },
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  },
  input: (z) => z.strictObject({ name: filled(z), lines: z.optional(wholeUpTo(MAX_LINES, z)) }),
  run({ name, lines = DEFAULT_LINES }, context) {
    requireSeen(name, context);
    const { journal, registry, clock } = context;
    const registered = registry.find(name);
    const layers = registered === undefined ? registry.chain : [registered.layer];
    const entries = layers.map((layer) => journal.tail(name, layer, lines)).find(Boolean);
    // Throws for a name that no server ever had, and lists the names that there are.
    if (entries === undefined) requireServer(name, context);
    const now = clock.now();
    return JSON.stringify({
      name,
      entries: (entries ?? []).map(({ kind, text, at }) => ({
        kind,
        text,
        seconds_ago: Math.round((now - at) / 100) / 10,
      })),
    });
  },
});
