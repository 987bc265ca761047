import { isDeepStrictEqual } from 'node:util';

import { contentBlocks, parsedJson } from '@mcpmux/kit';
import { EACH, type Edit, type Span, stringAt, valuePaths, valueSpans } from '@mcpmux/wire';
import type { CatalogView } from '../../catalog/catalog-view.js';
import { CONTENT, STRUCTURED } from '../../guards/results/result-members.js';
import type { Upstream } from '../../server/upstream.js';
import { keyBefore } from '../../server/link/members.js';
import { RELATED_TASK } from '../../server/link/server-paths.js';
import { clientTaskId } from '../../server/client-task-id.js';

/** Reads a server's result before mcpmux sends it to the client, and returns the edits to apply to it. */
export type ResultReader = (line: Buffer, result: Span, call: AnsweredCall) => readonly Edit[];

/** The call whose result is read. */
export interface AnsweredCall {
  readonly upstream: Upstream;
  readonly catalog: CatalogView;
  /** True if a bridge translates the call, and so has already read the result and any task in it. */
  readonly isBridged: boolean;
}

type ResourceContext = Pick<AnsweredCall, 'upstream' | 'catalog'>;

const NO_ALIASES: ReadonlyMap<string, string> = new Map();

/** The paths of resource URIs in the results of calls, reads and prompts. */
const URI_PATHS = valuePaths([
  [CONTENT, EACH, 'uri'],
  [CONTENT, EACH, 'resource', 'uri'],
  ['contents', EACH, 'uri'],
  ['messages', EACH, 'content', 'uri'],
  ['messages', EACH, 'content', 'resource', 'uri'],
]);

const TASK_IDS = valuePaths([['taskId'], ['task', 'taskId'], ['tasks', EACH, 'taskId'], RELATED_TASK]);

/**
 * Returns the edits that replace the resource URIs in a result with the aliases that clients know. For a URI without an
 * alias, records the server as its owner. Returns no edits for a server that does not declare resources.
 *
 * @param requestedUris maps a server's own URI to the URI that the client used in its request
 */
export function resourceEdits(
  line: Buffer,
  result: Span,
  { upstream, catalog }: ResourceContext,
  requestedUris: ReadonlyMap<string, string> = NO_ALIASES,
): readonly Edit[] {
  if (upstream.identity?.capabilities['resources'] === undefined) return [];
  // Most results name no resource, and a byte search is much faster than parsing.
  if (!line.includes('"uri"', result.start)) return [];
  const aliases = catalog.snapshot().resources.aliasesOf(upstream);
  return valueSpans(line, result, URI_PATHS).flatMap(({ span }) => {
    const uri = stringAt(line, span);
    if (uri === undefined) return [];
    const alias = aliases.get(uri) ?? requestedUris.get(uri);
    if (alias !== undefined) return [{ span, bytes: JSON.stringify(alias) }];
    catalog.knownUris.learnOwner(uri, upstream);
    return [];
  });
}

/** Returns a reader for the result of a resource that the client requested by a URI other than the server's own. */
export function aliasedResourceReader(uri: string, clientUri: string): ResultReader {
  const requestedUris = new Map([[uri, clientUri]]);
  return (line, result, call) => resourceEdits(line, result, call, requestedUris);
}

/** Wraps a reader so that it skips results that a bridge has already read. */
export function unlessBridged(read: ResultReader): ResultReader {
  return (line, result, call) => (call.isBridged ? [] : read(line, result, call));
}

const RESULT_MEMBER_PATHS = valuePaths([[CONTENT], [STRUCTURED], ['isError'], ['_meta']]);
const OPEN_BRACE = 0x7b;

/**
 * Returns a reader that drops one of `content` and `structuredContent` if both carry the same data, that is, if
 * `content` is a single text block with the JSON of `structuredContent`.
 */
export function singleCopyReader(keptMember: 'content' | 'structuredContent'): ResultReader {
  return (line, result, call) =>
    singleCopyEdits(keptMember, line, result) ?? resourceEdits(line, result, call);
}

function singleCopyEdits(
  keptMember: 'content' | 'structuredContent',
  line: Buffer,
  result: Span,
): readonly Edit[] | undefined {
  const memberSpans = new Map(
    valueSpans(line, result, RESULT_MEMBER_PATHS).map(({ path, span }) => [path, span]),
  );
  const content = memberSpans.get(CONTENT);
  const structured = memberSpans.get(STRUCTURED);
  // Structured content that is not an object is left to the bridges, which replace it for the other era.
  if (content === undefined || structured === undefined || line[structured.start] !== OPEN_BRACE)
    return undefined;
  if (!carriesSameData(line, content, structured)) return undefined;
  if (keptMember === 'structuredContent') return [{ span: content, bytes: '[]' }];
  // The member is replaced, not removed: a bridge may also remove an adjacent member and the comma between the two.
  const filler = [
    ['isError', 'false'],
    ['_meta', '{}'],
  ].find(([key = '']) => !memberSpans.has(key));
  if (filler === undefined) return undefined;
  const [key = '', value = ''] = filler;
  return [{ span: { start: keyBefore(line, structured), end: structured.end }, bytes: `"${key}":${value}` }];
}

function carriesSameData(line: Buffer, content: Span, structured: Span): boolean {
  const blocks = contentBlocks({ content: parsedJson(line.toString('utf8', content.start, content.end)) });
  const [block] = blocks;
  if (blocks.length !== 1 || block?.['type'] !== 'text') return false;
  const text = parsedJson(String(block['text']));
  return (
    text !== undefined &&
    isDeepStrictEqual(text, parsedJson(line.toString('utf8', structured.start, structured.end)))
  );
}

/**
 * Returns the edits that replace the task ids in a result with ids for clients, which contain the server's name.
 *
 * @param onTask called for each task id in the result, with the id that clients know
 */
export function taskIdEdits(
  line: Buffer,
  result: Span,
  server: Upstream,
  onTask: (id: string) => void = () => undefined,
): readonly Edit[] {
  return valueSpans(line, result, TASK_IDS).flatMap(({ span }) => {
    const localId = stringAt(line, span);
    if (localId === undefined) return [];
    const id = clientTaskId(server, localId);
    onTask(id);
    return [{ span, bytes: JSON.stringify(id) }];
  });
}
