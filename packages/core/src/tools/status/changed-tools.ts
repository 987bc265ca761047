import type { CatalogSnapshot } from '../../catalog/catalog-view.js';
import type { Definition } from '../../server/lists/definition.js';
import type { Upstream } from '../../server/upstream.js';
import { toolDiff } from './tool-diff.js';

/** A tool whose definition is not the one that was approved, or that the run before had. */
export interface ChangedTool {
  readonly server: string;
  /** The layer of a server of one workspace or session, as its status has it. */
  readonly layer?: string;
  /** The name that its server gives it. */
  readonly tool: string;
  /** The name that clients see; absent while the tool is blocked. */
  readonly name?: string;
  readonly isBlocked: boolean;
  /** JSON of the definition before the change; absent where mcpmux has seen it under a server that was removed since. */
  readonly before?: string;
  /** JSON of the definition. */
  readonly after: string;
}

/** The names of tools of a server that have changed since its last reload, or since they were approved. */
export function changedNames(
  { offer, restarts }: Upstream,
  diff: () => readonly string[],
): readonly string[] {
  const byPins = [...offer.findings].flatMap(([tool, reason]) => (reason === 'changed' ? [tool] : []));
  return [...new Set([...(restarts > 0 ? diff() : []), ...byPins])];
}

/** The changed tools of a server, with their definitions. */
export function changedTools(upstream: Upstream, { tools }: CatalogSnapshot): readonly ChangedTool[] {
  const names = new Set(changedNames(upstream, () => toolDiff(upstream).changed));
  return upstream.tools
    .filter(({ key }) => names.has(key))
    .map((definition) => {
      const listed = tools.entriesOf(upstream).find((tool) => tool.definition.key === definition.key);
      return changedTool(upstream, definition, listed?.exposedName);
    });
}

function changedTool(
  { offer, name: server, layer }: Upstream,
  { key, bytes }: Definition,
  name: string | undefined,
): ChangedTool {
  const before = offer.earlier.of(key) ?? offer.listsBefore.tools.find((tool) => tool.key === key);
  const isBlocked = offer.blocked.has(key);
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
