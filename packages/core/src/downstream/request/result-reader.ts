import { qualifyTaskId, type ServerName } from '@mcpmux/namespace';

import { EACH, type Edit, type Span, stringAt, valuePaths, valueSpans } from '@mcpmux/wire';
import type { CatalogView } from '../../catalog/catalog-view.js';
import type { Upstream } from '../../upstream/upstream.js';
import { RELATED_TASK } from '../../upstream/link/related-task.js';

/** Reads a result on its way to the client. Returns the replacements in it. */
export type ResultReader = (line: Buffer, result: Span) => readonly Edit[];

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
 * Reads results for the resources they name: whose they are is remembered, and a URI that clients know by an alias is
 * replaced by it. `undefined` for a server without resources, whose results need not be looked at.
 */
export function resourceReader(upstream: Upstream, catalog: CatalogView): ResultReader | undefined {
  if (upstream.identity?.capabilities['resources'] === undefined) return undefined;
  return (line, result) => {
    // A search for a few bytes is many times faster than a walk, and most results name no resource.
    if (!line.includes('"uri"', result.start)) return [];
    const aliases = catalog.snapshot().resources.aliasesOf(upstream);
    return valueSpans(line, result, URIS).flatMap(({ span }) => {
      const uri = stringAt(line, span);
      if (uri === undefined) return [];
      const alias = aliases.get(uri);
      if (alias !== undefined) return [{ span, bytes: JSON.stringify(alias) }];
      catalog.learned.learn(uri, upstream);
      return [];
    });
  };
}

/**
 * Reads results for the ids of tasks, which clients know with the name of their server.
 *
 * @param onTask told the id that clients know, of each task that is named
 */
export function taskReader(server: ServerName, onTask: (id: string) => void): ResultReader {
  return (line, result) => taskIdEdits(line, result, server, onTask);
}

/** The replacements of the ids of tasks inside the value at `within`. */
export function taskIdEdits(
  line: Buffer,
  within: Span,
  server: ServerName,
  onTask: (id: string) => void,
): readonly Edit[] {
  return valueSpans(line, within, TASK_IDS).flatMap(({ span }) => {
    const local = stringAt(line, span);
    if (local === undefined) return [];
    const id = qualifyTaskId(server, local);
    onTask(id);
    return [{ span, bytes: JSON.stringify(id) }];
  });
}

/** Both readings of one result. */
export function bothReaders(
  one: ResultReader | undefined,
  other: ResultReader | undefined,
): ResultReader | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return (line, result) => [...one(line, result), ...other(line, result)];
}
