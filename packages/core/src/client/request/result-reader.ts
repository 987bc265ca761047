import { EACH, type Edit, type Span, stringAt, valuePaths, valueSpans } from '@mcpmux/wire';
import type { CatalogView } from '../../catalog/catalog-view.js';
import type { Upstream } from '../../server/upstream.js';
import { RELATED_TASK } from '../../server/link/server-paths.js';
import { clientTaskId } from '../../server/client-task-id.js';

/** Reads a result on its way to the client. Returns the replacements in it. */
export type ResultReader = (
  line: Buffer,
  result: Span,
  upstream: Upstream,
  catalog: CatalogView,
) => readonly Edit[];

/** Where the results of calls, reads and prompts name resources. */
const URIS = valuePaths([
  ['content', EACH, 'uri'],
  ['content', EACH, 'resource', 'uri'],
  ['contents', EACH, 'uri'],
  ['messages', EACH, 'content', 'uri'],
  ['messages', EACH, 'content', 'resource', 'uri'],
]);

/** Where results name tasks. */
const TASK_IDS = valuePaths([['taskId'], ['task', 'taskId'], ['tasks', EACH, 'taskId'], RELATED_TASK]);

/**
 * Reads a result for the resources that it names: whose they are is remembered, and a URI that clients know by an alias
 * is replaced by it. The results of a server without resources are not looked at.
 */
export const resourceEdits: ResultReader = (...read) => editsWith(new Map(), ...read);

/** The same for the result of a request whose URI the client knows by another one. */
export function resourceEditsAs(uri: string, seen: string): ResultReader {
  const own = new Map([[uri, seen]]);
  return (...read) => editsWith(own, ...read);
}

function editsWith(
  own: ReadonlyMap<string, string>,
  ...[line, result, upstream, catalog]: Parameters<ResultReader>
): readonly Edit[] {
  if (upstream.identity?.capabilities['resources'] === undefined) return [];
  // A search for a few bytes is many times faster than a walk, and most results name no resource.
  if (!line.includes('"uri"', result.start)) return [];
  const aliases = catalog.snapshot().resources.aliasesOf(upstream);
  return valueSpans(line, result, URIS).flatMap(({ span }) => {
    const uri = stringAt(line, span);
    if (uri === undefined) return [];
    const alias = aliases.get(uri) ?? own.get(uri);
    if (alias !== undefined) return [{ span, bytes: JSON.stringify(alias) }];
    catalog.learned.learn(uri, upstream);
    return [];
  });
}

/**
 * Reads a result for the ids of tasks, which clients know with the name of their server.
 *
 * @param onTask told the id that clients know, of each task that is named
 */
export function taskIdEdits(
  line: Buffer,
  result: Span,
  server: Upstream,
  onTask: (id: string) => void = () => undefined,
): readonly Edit[] {
  return valueSpans(line, result, TASK_IDS).flatMap(({ span }) => {
    const local = stringAt(line, span);
    if (local === undefined) return [];
    const id = clientTaskId(server, local);
    onTask(id);
    return [{ span, bytes: JSON.stringify(id) }];
  });
}
