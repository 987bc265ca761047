import { isShown } from '../catalog/exposed-definition.js';
import { toolEntry } from '../catalog/list-entries.js';
import type { CatalogSnapshot } from '../catalog/snapshot.js';
import { shownInstructions } from '../upstream/lists/shown-instructions.js';
import type { Upstream } from '../upstream/upstream.js';
import { quote } from '../routing/quote.js';
import type { PinReason } from '../upstream/lists/tool-pins.js';
import type { Keeping } from './persisted-servers.js';
import type { ToolDiff } from './tool-diff.js';

/** Tools named in a note. */
const MAX_NAMED = 20;

/** What else an answer tells. */
export interface ServerToolsExtras {
  /** After a reload: how the tools differ from those before. */
  readonly changes?: ToolDiff;
  /** Whether it is kept for later starts, where that was asked for. */
  readonly keeping?: Keeping;
}

/**
 * The answer to `add_server` and `reload_server`: the definitions of the server's tools, the bytes of `tools/list`.
 * JSON text.
 */
export function serverToolsJson(
  upstream: Upstream,
  { tools, resources }: CatalogSnapshot,
  { changes, keeping }: ServerToolsExtras = {},
): string {
  const aliases = resources.aliasesOf(upstream);
  const entries = tools.entries
    .filter((tool) => tool.upstream === upstream && isShown(tool))
    .map((tool) => toolEntry(tool, aliases).toString('utf8'));
  const members = [
    `"name":${JSON.stringify(upstream.name)}`,
    `"status":"running"`,
    `"tools":[${entries.join(',')}]`,
  ];
  const blocked = blockedTools(upstream);
  const notes = [
    ...(blocked.length > 0 ? [blockedNote(blocked)] : []),
    ...(keeping?.problem === undefined ? [] : [`It runs, but is not kept: ${keeping.problem}`]),
  ];
  if (notes.length > 0) members.push(`"note":${JSON.stringify(notes.join(' '))}`);
  if (keeping !== undefined) members.push(`"persisted":${keeping.isDone}`);
  const instructions = upstream.identity?.instructions;
  if (instructions !== undefined)
    members.push(`"instructions":${JSON.stringify(shownInstructions(upstream.name, instructions))}`);
  if (changes !== undefined) members.push(`"changes":${JSON.stringify(changes)}`);
  return `{${members.join(',')}}`;
}

/** The tools of a server that cannot be used until they are approved, and why. */
export function blockedTools(upstream: Upstream): readonly (readonly [string, PinReason])[] {
  return upstream.tools.flatMap(({ key }): (readonly [string, PinReason])[] => {
    const reason = upstream.pinned.blocked(key);
    return reason === undefined ? [] : [[key, reason]];
  });
}

/** The answer to `remove_server`. JSON text. */
export function removedJson(name: string, { isDone, problem }: Keeping): string {
  return JSON.stringify({
    name,
    removed: true,
    ...(isDone && { forgotten: true }),
    ...(problem !== undefined && { note: `It starts again with the next mcpmux: ${problem}` }),
  });
}

/** {@link blockedTools} in a sentence. */
export function blockedNote(blocked: readonly (readonly [string, PinReason])[]): string {
  const names = blocked.slice(0, MAX_NAMED).map(([tool, reason]) => `${quote(tool)} (${reason})`);
  const more = blocked.length > MAX_NAMED ? ` and ${blocked.length - MAX_NAMED} more` : '';
  return `Blocked until they are approved, because they are not as they were: ${names.join(', ')}${more}.`;
}

/** The answer to `add_server` for a server that needs longer than a host lets a call take. JSON text. */
export function stillStartingJson(upstream: Upstream, isKept: boolean): string {
  const note = 'The server is still starting. Its tools will be announced; list_servers shows its state.';
  return JSON.stringify({
    name: upstream.name,
    status: 'starting',
    tools: [],
    note: isKept ? `${note} It is kept for later starts once it runs.` : note,
  });
}
