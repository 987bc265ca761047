import { quote } from '@mcpmux/kit';
import type { CatalogSnapshot } from '../../catalog/catalog-view.js';
import type { Definition } from '../../server/lists/definition.js';
import type { PinReason } from '../../server/lists/tool-pins.js';
import type { Upstream } from '../../server/upstream.js';
import { toolDiff } from './tool-diff.js';

/** A tool whose definition differs from its approved definition or from its definition in the previous run. */
export interface ChangedTool {
  readonly server: string;
  /** The layer of a server that belongs to a workspace or session, as in its status. */
  readonly layer?: string;
  /** The tool's name on its server. */
  readonly tool: string;
  /** The name that clients see. Absent while the tool is blocked. */
  readonly name?: string;
  readonly isBlocked: boolean;
  /** The JSON of the definition before the change. Absent if it came from a server that has since been removed. */
  readonly before?: string;
  /** The JSON of the current definition. */
  readonly after: string;
}

/** Returns the names of a server's tools that have changed since its previous run or since they were approved. */
export function changedToolNames(
  { offer, restartCount }: Upstream,
  diff: () => readonly string[],
): readonly string[] {
  const changedPins = [...offer.findings].flatMap(([tool, reason]) => (reason === 'changed' ? [tool] : []));
  return [...new Set([...(restartCount > 0 ? diff() : []), ...changedPins])];
}

/** Returns a server's changed tools, with their definitions. */
export function changedTools(upstream: Upstream, { tools }: CatalogSnapshot): readonly ChangedTool[] {
  const names = new Set(changedToolNames(upstream, () => toolDiff(upstream).changed));
  return upstream.tools
    .filter(({ key }) => names.has(key))
    .map((definition) => {
      const listedTool = tools.entriesOf(upstream).find((tool) => tool.definition.key === definition.key);
      return changedTool(upstream, definition, listedTool?.exposedName);
    });
}

function changedTool(
  { offer, name: server, layer }: Upstream,
  { key, bytes }: Definition,
  name: string | undefined,
): ChangedTool {
  const before =
    offer.earlierDefinitions.get(key) ?? offer.previousLists.tools.find((tool) => tool.key === key);
  const isBlocked = offer.blockedTools.has(key);
  return {
    server,
    ...(!layer.isShared && { layer: layer.id }),
    tool: key,
    ...(name !== undefined && !isBlocked && { name }),
    isBlocked,
    ...(before !== undefined && { before: before.bytes.toString('utf8') }),
    after: bytes.toString('utf8'),
  };
}

/** The maximum number of tools that a note names. */
const MAX_NAMED_TOOLS = 20;

/** Returns a server's tools that are blocked until they are approved, with the reasons. */
export function blockedTools(upstream: Upstream): readonly (readonly [string, PinReason])[] {
  return upstream.tools.flatMap(({ key }): (readonly [string, PinReason])[] => {
    const reason = upstream.offer.blockedTools.get(key);
    return reason === undefined ? [] : [[key, reason]];
  });
}

/** Describes {@link blockedTools} in a sentence. */
export function blockedNote(blocked: readonly (readonly [string, PinReason])[]): string {
  const names = blocked.slice(0, MAX_NAMED_TOOLS).map(([tool, reason]) => `${quote(tool)} (${reason})`);
  const more = blocked.length > MAX_NAMED_TOOLS ? ` and ${blocked.length - MAX_NAMED_TOOLS} more` : '';
  return `Blocked until approved, because they differ from the approved tools: ${names.join(', ')}${more}.`;
}
