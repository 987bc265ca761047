import { requireVisible, requireServer } from './context/require-seen.js';
import { optional, integerUpTo } from './context/fields.js';
import { listSchema, objectSchema, SERVER_NAME_FIELD, TEXT_SCHEMA, tool } from './context/tool.js';
import { MAX_JOURNAL_LINES, SERVER_STARTING, type JournalEntry } from './journal/server-journal.js';

const DEFAULT_LINES = 50;
/** How many of the {@link DEFAULT_LINES} are from the beginning of the last run, which often explains why it failed. */
const HEAD_LINES = 20;

const ENTRY_SCHEMA = objectSchema(
  {
    kind: { type: 'string', enum: ['event', 'stderr', 'stdout'] },
    text: TEXT_SCHEMA,
    seconds_ago: { type: 'number' },
    left_out_before: { type: 'integer', description: 'How many entries before this one are not shown' },
  },
  ['kind', 'text', 'seconds_ago'],
);

/** An entry, and the number of entries that are omitted before it. */
interface ExcerptEntry extends JournalEntry {
  readonly omittedCount: number;
}

/** Returns the entries of a server's journal. */
export const serverLogs = tool(
  {
    name: 'server_logs',
    title: 'Read the log of an MCP server',
    description:
      'Returns the recent events of a server, its stderr, and the lines of its stdout that are not MCP, also after a ' +
      'failed start. Without lines: the beginning and the end of the entries since its last start.',
    outputSchema: objectSchema({ name: TEXT_SCHEMA, entries: listSchema(ENTRY_SCHEMA) }, ['name', 'entries']),
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  },
  {
    name: SERVER_NAME_FIELD,
    lines: optional(integerUpTo(MAX_JOURNAL_LINES, 'The last so many; 50 by default')),
  },
  async ({ name, lines }, context) => {
    requireVisible(name, context);
    const { journal, registry, clock } = context;
    const upstream = registry.find(name);
    const managerLogs = await upstream?.manager?.logs(lines);
    if (managerLogs !== undefined) return managerLogs;
    const layers = upstream === undefined ? registry.chain : [upstream.layer];
    const entries = layers.map((layer) => journal.tail(name, layer, MAX_JOURNAL_LINES)).find(Boolean);
    // Throws for a name that no server has ever had. The error lists the known names.
    if (entries === undefined) requireServer(name, context);
    const now = clock.now();
    return JSON.stringify({
      name,
      entries: excerptOf(entries ?? [], lines).map(({ kind, text, at, omittedCount }) => ({
        kind,
        text,
        seconds_ago: Math.round((now - at) / 100) / 10,
        left_out_before: omittedCount > 0 ? omittedCount : undefined,
      })),
    });
  },
);

function excerptOf(all: readonly JournalEntry[], lines: number | undefined): readonly ExcerptEntry[] {
  const first = Math.max(0, all.length - (lines ?? DEFAULT_LINES));
  const runStart = all.findLastIndex(({ kind, text }) => kind === 'event' && text === SERVER_STARTING);
  const headAt = lines === undefined ? Math.min(Math.max(0, runStart), first) : first;
  const tailAt = headAt < first ? first + HEAD_LINES : first;
  const excerpt: ExcerptEntry[] = [];
  let nextIndex = 0;
  for (const [index, entry] of all.entries()) {
    const isInExcerpt = index >= tailAt || (index >= headAt && index < headAt + HEAD_LINES);
    if (!isInExcerpt) continue;
    excerpt.push({ ...entry, omittedCount: lines === undefined ? index - nextIndex : 0 });
    nextIndex = index + 1;
  }
  return excerpt;
}
