import { requireSeen, requireServer } from './context/require-seen.js';
import { optional, wholeUpTo } from './context/fields.js';
import { listOf, objectOf, SERVER_NAME, TEXT, tool } from './context/tool.js';

const MAX_LINES = 500;
const DEFAULT_LINES = 50;

const ENTRY = objectOf(
  { kind: { type: 'string', enum: ['event', 'stderr'] }, text: TEXT, seconds_ago: { type: 'number' } },
  ['kind', 'text', 'seconds_ago'],
);

/** Shows the journal of a server. */
export const serverLogs = tool(
  {
    name: 'server_logs',
    title: 'Read the log of an MCP server',
    description:
      'Returns the recent events of a server and the last lines of its stderr, also after a failed start.',
    outputSchema: objectOf({ name: TEXT, entries: listOf(ENTRY) }, ['name', 'entries']),
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  },
  { name: SERVER_NAME, lines: optional(wholeUpTo(MAX_LINES, '50 by default')) },
  ({ name, lines = DEFAULT_LINES }, context) => {
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
);
