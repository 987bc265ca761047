import { isRecord, waitAtMost } from '@mcpmux/kit';
import { appearsInLists, type ExposedDefinition } from '../catalog/exposed-definition.js';
import { toolEntry } from '../catalog/list-entries.js';
import type { ToolEntry } from '../catalog/catalog-view.js';
import { firstSentence } from '../catalog/exposure/slim-definition.js';
import type { Addition } from '../server/registry/addition.js';
import { truncatedInstructions } from '../server/lists/shown-instructions.js';
import type { Upstream } from '../server/upstream.js';
import type { ToolContext } from './context/tool-context.js';
import { listSchema, objectSchema, TEXT_SCHEMA } from './context/tool.js';
import { persistServer, type Persistence } from './persisted-servers.js';
import { blockedNote, blockedTools } from './status/changed-tools.js';
import type { ToolDiff } from './status/tool-diff.js';

const NAMES_SCHEMA = listSchema(TEXT_SCHEMA);

/** JSON Schema for the result of `add_server`, `reload_server` and `connect_instance`. */
export const SERVER_TOOLS_SCHEMA = objectSchema(
  {
    name: TEXT_SCHEMA,
    status: { type: 'string', enum: ['starting', 'running'] },
    tools: { ...listSchema({ type: 'object' }), description: 'Definitions of the tools, as in tools/list' },
    instructions: { type: 'string', description: 'Instructions of the server' },
    note: TEXT_SCHEMA,
    persisted: { type: 'boolean', description: 'Whether later starts of mcpmux start it too' },
    changes: {
      type: 'object',
      description: 'How the tools differ from those before the reload',
      properties: { added: NAMES_SCHEMA, removed: NAMES_SCHEMA, changed: NAMES_SCHEMA },
      required: ['added', 'removed', 'changed'],
    },
  },
  ['name', 'status', 'tools'],
);

/** Options for the result of a call that starts a server. */
interface StartOptions {
  /** Called if the result is sent before the server has started. */
  readonly onSlowStart?: () => void;
  /** If true, saves the server once it is running, so that it also starts in later sessions. */
  readonly isPersisted?: boolean;
  /** Returns the difference between the tools before and after a reload. */
  readonly changes?: () => ToolDiff;
}

/**
 * Responds once an added server is running. Undoes the addition if the call is cancelled: its caller gets no result.
 */
export async function answerWhenAdded(
  { upstream, started, keep: onSlowStart, undo }: Addition,
  context: ToolContext,
  { isPersisted = false }: Pick<StartOptions, 'isPersisted'> = {},
): Promise<string> {
  const { signal, reportProgress } = context;
  reportProgress(`starting ${upstream.name}`);
  signal.addEventListener('abort', undo, { once: true });
  try {
    return await answerWhenStarted(upstream, started, context, { onSlowStart, isPersisted });
  } finally {
    signal.removeEventListener('abort', undo);
  }
}

/**
 * Responds when a server has started. If the start is slow, responds earlier, because many hosts abandon a call after
 * 60 s, and reports the outcome in notifications.
 */
export async function answerWhenStarted(
  upstream: Upstream,
  whenStarted: Promise<unknown>,
  context: ToolContext,
  { onSlowStart, isPersisted = false, changes }: StartOptions,
): Promise<string> {
  const { clock, limits } = context;
  const persistIfRequested = async (): Promise<Persistence | undefined> =>
    isPersisted ? persistServer(upstream, context) : undefined;
  if (await waitAtMost(limits.addAnswerTimeoutMs, whenStarted, clock)) {
    const persistence = await persistIfRequested();
    return serverToolsJson(upstream, context, persistence, changes?.());
  }
  onSlowStart?.();
  // The rejection is ignored, because `list_servers` reports failed starts.
  whenStarted.then(persistIfRequested).catch(() => undefined);
  return stillStartingJson(upstream, isPersisted);
}

/**
 * Returns the result of `add_server` or `reload_server`, as JSON text. It contains the server's tools with the bytes of
 * `tools/list`, but only the names and short descriptions of tools that are not listed for the caller.
 */
export function serverToolsJson(
  upstream: Upstream,
  context: Pick<ToolContext, 'catalog' | 'client'>,
  persistence?: Persistence,
  changes?: ToolDiff,
): string {
  const { entries, unlisted } = toolsOf(upstream, context);
  const blocked = blockedTools(upstream);
  const notes = [
    ...(blocked.length > 0 ? [blockedNote(blocked)] : []),
    ...(unlisted > 0 ? [`${unlisted} of its tools are not in tools/list. ${UNLISTED_TOOLS_HINT}`] : []),
    ...(persistence?.problem === undefined ? [] : [`It runs, but is not saved: ${persistence.problem}`]),
  ];
  const { warnings } = upstream;
  const instructions = upstream.identity?.instructions;
  const rest = JSON.stringify({
    ...(notes.length > 0 && { note: notes.join(' ') }),
    // The output schema allows this member without naming it, because users would have to approve a changed schema.
    ...(warnings.length > 0 && { warnings }),
    ...(persistence !== undefined && { persisted: persistence.isDone }),
    ...(instructions !== undefined && { instructions: truncatedInstructions(upstream.name, instructions) }),
    ...(changes !== undefined && { changes }),
  }).slice(1, -1);
  const name = JSON.stringify(upstream.name);
  return `{"name":${name},"status":"running","tools":[${entries.join(',')}]${rest && `,${rest}`}}`;
}

const UNLISTED_TOOLS_HINT =
  'search_tools with detail "definition" gives their parameters, call_tool calls them.';

/** Returns a server's tools as JSON text, and the number of tools that are not listed for the caller. */
function toolsOf(upstream: Upstream, { catalog, client }: Pick<ToolContext, 'catalog' | 'client'>) {
  const { tools, resources } = catalog.snapshot();
  const entryOf = (tool: ExposedDefinition): ToolEntry => {
    return { tool, json: toolEntry(tool, resources.aliasesOf(tool.upstream)) };
  };
  const shown = tools.entries.filter(appearsInLists);
  const own = tools.entriesOf(upstream).filter(appearsInLists).map(entryOf);
  // The selection needs the tools of all servers, because they share the budget.
  const { era, name } = client.protocol;
  const selected = catalog.selectionFor?.({ era, client: name })?.select(shown.map(entryOf), 0) ?? own;
  const listed = new Map(selected.map(({ tool, json }) => [tool, json]));
  const entries = own.map(({ tool, json }) => listed.get(tool)?.toString('utf8') ?? unlistedJson(tool, json));
  return { entries, unlisted: own.filter(({ tool }) => !listed.has(tool)).length };
}

function unlistedJson({ exposedName }: ExposedDefinition, json: Buffer): string {
  const definition: unknown = JSON.parse(json.toString('utf8'));
  const description = isRecord(definition) ? firstSentence(definition['description']) : undefined;
  return JSON.stringify({ name: exposedName, description });
}

/** Returns the result for a slow start, as JSON text. */
function stillStartingJson(upstream: Upstream, isPersisted: boolean): string {
  const note = 'The server is still starting. Its tools will be announced; list_servers shows its state.';
  return JSON.stringify({
    name: upstream.name,
    status: 'starting',
    tools: [],
    note: isPersisted ? `${note} It is saved for later starts once it runs.` : note,
  });
}
