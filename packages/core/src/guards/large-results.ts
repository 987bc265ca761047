import { isRecord } from '@mcpmux/kit';
import { type Span, splice, valuePaths, valueSpans } from '@mcpmux/wire';
import { OWN_SERVER, READ_RESULT } from '../catalog/own-tool.js';
import { TASK_RESULT_METHODS } from '../server/dialect/client-requests.js';
import { readStoredResult, type ReadAnswer, type ReadRequest } from './results/read-stored.js';
import { ResultStore, type ResultFiles, type StoredResult } from './results/result-store.js';
import {
  shortenResult,
  type ClientResultLimit,
  type ResultHost,
  type ResultLength,
} from './results/shortened-result.js';
import { resultAnswer } from './answers.js';
import type { Guard, GuardAnswer, GuardContext } from './guard.js';
import { perTargetSetting, type GuardSetting } from './guard-setting.js';
import { LOCAL } from './principal.js';
import { guardOfCalls, type Target } from './targets.js';

const RESULT_URI_PREFIX = 'mcpmux-result://';
const BYTES_PER_TOKEN = 4;
/** The limit for clients whose own limit is unknown. */
const DEFAULT_LIMIT_TOKENS = 25_000;
const DEFAULT_MAX_BYTES = 64 * 1024 * 1024;

const RESULT_MEMBER_PATH = valuePaths([['result']]);

/** Options for {@link largeResults}. */
export interface LargeResultsOptions extends Target {
  /** `auto` shortens results only for clients whose limit is known, `on` for all clients. Defaults to `on`. */
  readonly mode?: 'auto' | 'on' | undefined;
  /** If false, results are never written to files. Defaults to true. */
  readonly files?: boolean | undefined;
  /**
   * The text length above which a result is stored, in tokens of 4 bytes. Defaults to the client's limit or, if that is
   * unknown, to 25,000.
   */
  readonly tokens?: number | undefined;
  /** Token limits by client name prefix, ignoring case. A matching limit overrides `tokens`. */
  readonly clients?: Readonly<Record<string, number>> | undefined;
  /** The maximum total size of stored results, in bytes. Defaults to 64 MiB. The least recently read are evicted. */
  readonly maxBytes?: number | undefined;
}

/**
 * Returns a guard that stores each result that exceeds its client's limit, and sends the client only its beginning, its
 * shape and a handle. The guard must be outside a result cache. Clients read a stored result with `read_result`, or as
 * a resource.
 */
export function largeResults(options: LargeResultsOptions, { limits = [], files }: ResultHost = {}): Guard {
  const { maxBytes = DEFAULT_MAX_BYTES, clients = {}, mode } = options;
  const store = new ResultStore(maxBytes, (handle) => files?.remove(handle));
  const parts = { store, options, limits, files: options.files === false ? undefined : files };
  const { handle } = guardOfCalls(options, (context, next) => shortenIfNeeded(context, next, parts));
  const prefixes = [...Object.keys(clients), ...limits.map(({ client }) => client)];
  return {
    answers: READ_RESULT,
    methods: ['tools/call', 'resources/read', ...TASK_RESULT_METHODS.keys()],
    ...(mode === 'auto' && { clients: (name) => prefixes.some((start) => hasNamePrefix(name, start)) }),
    handle: async (context, next) => {
      const storedRead = findStoredRead(context, store);
      if (storedRead !== undefined)
        return answerStoredRead(context, storedRead, limitOf(context, parts).most);
      return context.method !== 'resources/read' && handle !== undefined ? handle(context, next) : next();
    },
  };
}

const perTargetSettings = perTargetSetting<LargeResultsOptions>(
  'Longer results are stored and read in pages.',
  ({ z, flag, count, optional }) => ({
    mode: optional(
      z.enum(['auto', 'on']),
      'auto: only for clients that cut results. on, the default: for all.',
    ),
    files: optional(flag, 'false: results are not written to files for clients on this machine.'),
    tokens: optional(count, 'A result with longer texts is stored, in tokens of 4 bytes.'),
    clients: optional(z.record(z.string(), count), 'The same by the beginning of the name of a client.'),
    maxBytes: optional(count, 'All stored results together; 64 MiB when absent.'),
  }),
  largeResults,
);

type LargeResultsValue = 'auto' | 'on' | 'off' | LargeResultsOptions | LargeResultsOptions[];

/** The config's `guards.largeResults` setting. */
export const largeResultsSetting: GuardSetting<LargeResultsValue> = {
  schema: (parts) => {
    const { z } = parts;
    const error = 'expected auto, on, off, an object or a list of objects with the settings of a guard';
    return z.union([z.enum(['auto', 'on', 'off']), perTargetSettings.schema(parts)], { error });
  },
  guards: (setting, ...parts) => {
    if (setting === 'off') return [];
    return perTargetSettings.guards(typeof setting === 'string' ? { mode: setting } : setting, ...parts);
  },
};

interface LargeResultParts {
  readonly store: ResultStore;
  readonly options: LargeResultsOptions;
  readonly limits: readonly ClientResultLimit[];
  readonly files: ResultFiles | undefined;
}

async function shortenIfNeeded(
  context: GuardContext,
  next: () => Promise<GuardAnswer>,
  parts: LargeResultParts,
): Promise<GuardAnswer> {
  const answer = await next();
  const limit = limitOf(context, parts);
  // A nested call's result goes to a guard, not to a client. A node that forwarded a request shortens the result
  // itself.
  const isExempt = context.server === OWN_SERVER || context.isNested || context.isFromNode;
  if (answer.kind === 'error' || answer.bytes <= limit.most || isExempt) return answer;
  const { json: whole } = answer;
  const isMember = TASK_RESULT_METHODS.get(context.method) === 'member';
  const span = isMember ? valueSpans(whole, wholeSpan(whole), RESULT_MEMBER_PATH)[0]?.span : wholeSpan(whole);
  if (span === undefined) return answer;
  const result = whole.subarray(span.start, span.end);
  const settings = { ...parts, limit, principal: context.principal.id };
  // Only a local client, on stdio or a shared process's socket, can read files on this machine.
  const files = context.principal === LOCAL ? parts.files : undefined;
  const json = await shortenResult(result, { ...settings, files, keepsStructured: keepsStructured(context) });
  if (json === undefined) return answer;
  const newJson = isMember ? splice(whole, [{ span, bytes: json }]).subarray(0, -1) : json;
  return resultAnswer(newJson, answer.isToolError);
}

/** True if the structured content must match a schema, or if the result's tool is unknown. */
function keepsStructured({ method, definition }: GuardContext): boolean {
  return method !== 'tools/call' || definition?.['outputSchema'] !== undefined;
}

function wholeSpan({ length }: Buffer): Span {
  return { start: 0, end: length };
}

function limitOf(
  context: GuardContext,
  { options, limits }: Pick<LargeResultParts, 'options' | 'limits'>,
): ResultLength {
  const { tokens, clients = {} } = options;
  const ownTokens =
    Object.entries(clients).find(([start]) => hasNamePrefix(context.client, start))?.[1] ?? tokens;
  const limit = limits.find(({ client }) => hasNamePrefix(context.client, client));
  if (ownTokens === undefined && limit !== undefined) return { ...limit, most: limitForTool(context, limit) };
  return { most: (ownTokens ?? DEFAULT_LIMIT_TOKENS) * BYTES_PER_TOKEN, unit: 'bytes' };
}

/** Returns a client's limit for the called tool, whose `_meta` may raise the client's own limit. */
function limitForTool({ definition }: GuardContext, { most, raisedBy }: ClientResultLimit): number {
  const meta = definition?.['_meta'];
  const value = raisedBy && isRecord(meta) ? meta[raisedBy.key] : undefined;
  return typeof value === 'number' && value > 0 ? Math.min(value, raisedBy?.most ?? value) : most;
}

function hasNamePrefix(client: string | undefined, prefix: string): boolean {
  return client?.toLowerCase().startsWith(prefix.toLowerCase()) === true;
}

/** A stored result, and the part of it to read. */
interface StoredRead {
  readonly result: StoredResult;
  readonly request: ReadRequest;
  /** The URI in a `resources/read` request. Absent for `read_result`. */
  readonly uri?: string;
}

/** Returns the stored result that a request names, and the part of it to read, or undefined for any other request. */
function findStoredRead(context: GuardContext, store: ResultStore): StoredRead | undefined {
  const { params } = context;
  if (context.method === 'resources/read') {
    const { uri } = params;
    if (typeof uri !== 'string' || !uri.startsWith(RESULT_URI_PREFIX)) return undefined;
    const [handle = '', page] = uri.slice(RESULT_URI_PREFIX.length).split('/');
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

async function answerStoredRead(
  context: GuardContext,
  { result, request, uri }: StoredRead,
  limit: number,
): Promise<GuardAnswer> {
  // A quarter of the limit is reserved for the text around the page.
  const pageBytes = Math.max(1, Math.floor(limit * 0.75));
  const answer = await readStoredResult(result, request, pageBytes);
  const json = uri === undefined ? toolResultJson(answer) : resourceResultJson(answer, uri);
  return resultAnswer(Buffer.from(json), 'problem' in answer && uri === undefined);
}

function toolResultJson(answer: ReadAnswer): string {
  if ('problem' in answer)
    return JSON.stringify({ content: [{ type: 'text', text: answer.problem }], isError: true });
  const { text, page, pages } = answer;
  const where = pages > 1 ? `Page ${page} of ${pages}:\n` : '';
  return JSON.stringify({ content: [{ type: 'text', text: where + text }] });
}

function resourceResultJson(answer: ReadAnswer, uri: string): string {
  const text = 'problem' in answer ? answer.problem : answer.text;
  return JSON.stringify({ contents: [{ uri, mimeType: 'text/plain', text }] });
}
