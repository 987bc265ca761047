import { isRecord } from '@mcpmux/kit';
import { OWN_SERVER, READ_RESULT } from '../catalog/own-tool.js';
import { readStored, type ReadAnswer, type ReadRequest } from './results/read-stored.js';
import { ResultStore, type StoredResult } from './results/result-store.js';
import { shortenedResult } from './results/shortened-result.js';
import { resultAnswer } from './answers.js';
import type { Guard, GuardAnswer, GuardContext } from './guard.js';
import { perTarget } from './guard-setting.js';
import { guardOfCalls, type Target } from './targets.js';

const SCHEME = 'mcpmux-result://';
const BYTES_PER_TOKEN = 4;
/** The length at which Claude Code truncates results. */
const DEFAULT_TOKENS = 25_000;
const DEFAULT_MAX_BYTES = 64 * 1024 * 1024;

/** Limits for stored results. */
export interface LargeResultsOptions extends Target {
  /** A result with longer text is stored, in tokens of 4 bytes; 25,000 when absent. */
  readonly tokens?: number | undefined;
  /** Token limits by the beginning of a client's name, ignoring case. */
  readonly clients?: Readonly<Record<string, number>> | undefined;
  /** Maximum size of all stored results, in bytes; 64 MiB when absent. The least recently read result is evicted. */
  readonly maxBytes?: number | undefined;
}

/**
 * Returns a guard that stores results that are too long for their client. The client gets the beginning of the result,
 * its shape and a handle. The guard must be outside a cache. Clients read a stored result with `read_result`, or as a
 * resource.
 */
export function largeResults(options: LargeResultsOptions): Guard {
  const { maxBytes = DEFAULT_MAX_BYTES } = options;
  const store = new ResultStore(maxBytes);
  const { handle } = guardOfCalls(options, (context, next) => shortened(context, next, { store, options }));
  return {
    answers: READ_RESULT,
    methods: ['tools/call', 'resources/read'],
    handle: async (context, next) => {
      const stored = storedFor(context, store);
      if (stored !== undefined) return read(context, stored, limitOf(context, options));
      return context.method === 'tools/call' && handle !== undefined ? handle(context, next) : next();
    },
  };
}

/** `guards.largeResults` of a config. */
export const largeResultsSetting = perTarget<LargeResultsOptions>(
  'Longer results are stored and read in pages.',
  ({ z, count, optional }) => ({
    tokens: optional(count, 'A result with longer texts is stored; 25000 tokens of 4 bytes when absent.'),
    clients: optional(z.record(z.string(), count), 'The same by the beginning of the name of a client.'),
    maxBytes: optional(count, 'All stored results together; 64 MiB when absent.'),
  }),
  largeResults,
);

async function shortened(
  context: GuardContext,
  next: () => Promise<GuardAnswer>,
  { store, options }: { readonly store: ResultStore; readonly options: LargeResultsOptions },
): Promise<GuardAnswer> {
  const answer = await next();
  const limitBytes = limitOf(context, options);
  const isOwn = context.server === OWN_SERVER;
  // The result of a nested call goes to a guard, and no client gets it.
  if (answer.kind === 'error' || answer.bytes <= limitBytes || isOwn || context.isNested) return answer;
  const keepsStructured = context.definition?.['outputSchema'] !== undefined;
  const principal = context.principal.id;
  const json = await shortenedResult(answer.json, { store, principal, limitBytes, keepsStructured });
  return json === undefined ? answer : resultAnswer(json, answer.isToolError);
}

function limitOf(
  { client }: GuardContext,
  { tokens = DEFAULT_TOKENS, clients = {} }: LargeResultsOptions,
): number {
  const name = client?.toLowerCase() ?? '';
  const own = Object.entries(clients).find(([start]) => name.startsWith(start.toLowerCase()));
  return (own?.[1] ?? tokens) * BYTES_PER_TOKEN;
}

/** A stored result, and the part to read. */
interface Stored {
  readonly result: StoredResult;
  readonly request: ReadRequest;
  /** The URI in a request for a resource. */
  readonly uri?: string;
}

/** Returns the stored result that a request names; undefined for any other request. */
function storedFor(context: GuardContext, store: ResultStore): Stored | undefined {
  const { params } = context;
  if (context.method === 'resources/read') {
    const { uri } = params;
    if (typeof uri !== 'string' || !uri.startsWith(SCHEME)) return undefined;
    const [handle = '', page] = uri.slice(SCHEME.length).split('/');
    const result = store.get(handle, context.principal.id);
    return result && { result, uri, request: { page: numberIn(Number(page)) } };
  }
  if (context.server !== OWN_SERVER || context.tool !== READ_RESULT) return undefined;
  const args = isRecord(params['arguments']) ? params['arguments'] : {};
  const { handle, part, page, grep, path } = args;
  const result = typeof handle === 'string' ? store.get(handle, context.principal.id) : undefined;
  const request = { part: numberIn(part), page: numberIn(page), grep: textIn(grep), path: textIn(path) };
  return result && { result, request };
}

function numberIn(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : undefined;
}

function textIn(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

async function read(
  context: GuardContext,
  { result, request, uri }: Stored,
  limit: number,
): Promise<GuardAnswer> {
  // The rest of the limit is for the text around the page.
  const pageBytes = Math.max(1, Math.floor(limit * 0.75));
  const answer = await readStored(result, request, pageBytes);
  const json = uri === undefined ? toolJson(answer) : resourceJson(answer, uri);
  return resultAnswer(Buffer.from(json), 'problem' in answer && uri === undefined);
}

function toolJson(answer: ReadAnswer): string {
  if ('problem' in answer)
    return JSON.stringify({ content: [{ type: 'text', text: answer.problem }], isError: true });
  const { text, page, pages } = answer;
  const where = pages > 1 ? `Page ${page} of ${pages}:\n` : '';
  return JSON.stringify({ content: [{ type: 'text', text: where + text }] });
}

function resourceJson(answer: ReadAnswer, uri: string): string {
  const text = 'problem' in answer ? answer.problem : answer.text;
  return JSON.stringify({ contents: [{ uri, mimeType: 'text/plain', text }] });
}
