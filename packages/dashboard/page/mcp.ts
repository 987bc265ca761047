import { lines, type Json } from './connection.js';
import { layerQuery } from './layers.js';
import { converse, type Questions } from './rounds.js';
import { isJson, objectsIn, textIn } from './values.js';

const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'mcpmux-page', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {}, url: {} }, sampling: {} },
};
/** The first pause, in milliseconds, for a server that only asks for a retry. Each further pause is twice as long. */
const PAUSE_MS = 250;
/** The longest pause. A user who must do something on another page has about two minutes in total. */
const MAX_PAUSE_MS = 30_000;

/** The error in a response. */
export class McpError extends Error {}

let lastId = 0;

/** A method, and the layer whose servers get the request. */
export interface Target {
  readonly method: string;
  readonly layer?: string | undefined;
}

/** The interaction with the user during one request. */
export interface Interaction {
  /** Resolves with the user's answers, by question key. */
  readonly ask: (questions: Questions) => Promise<Json>;
  readonly onProgress: (params: Json) => void;
  /** Called when the server asks for a retry, which is sent after this number of milliseconds. */
  readonly onPause: (ms: number) => void;
  /** Aborted when the user cancels the request. */
  readonly signal: AbortSignal;
}

/** Returns all entries in a list, from all pages. */
export async function list(target: Target, key: string): Promise<readonly Json[]> {
  const entries: Json[] = [];
  let cursor: unknown;
  do {
    const page = await send(target, cursor === undefined ? {} : { cursor });
    entries.push(...objectsIn(page[key]));
    cursor = page['nextCursor'];
  } while (typeof cursor === 'string');
  return entries;
}

/**
 * Sends a request that its server may answer with questions for the user.
 *
 * @throws McpError with the message of an error response; the abort reason of the signal if the request is cancelled
 */
export function request(
  target: Target,
  params: Json,
  { ask, onProgress, onPause, signal }: Interaction,
): Promise<Json> {
  const withMeta = (): Json => ({
    ...params,
    _meta: { ...ENVELOPE, progressToken: String(lastId + 1) },
  });
  return converse({
    send: (further) => send(target, { ...withMeta(), ...further }, { onProgress, signal }),
    ask: (questions) => unlessAborted(ask(questions), signal),
    pause: (tries) => {
      const ms = Math.min(PAUSE_MS * 2 ** (tries - 1), MAX_PAUSE_MS);
      onPause(ms);
      return unlessAborted(new Promise((resolve) => setTimeout(resolve, ms)), signal);
    },
    withdraw: (requestState) => void withdraw(target, { ...withMeta(), requestState }),
  });
}

/**
 * Resolves with the values that a server suggests for an argument of a prompt, or for a variable of a resource
 * template.
 */
export async function suggestions(
  layer: string,
  params: Json,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const result = await send(
    { method: 'completion/complete', layer },
    { ...params, _meta: ENVELOPE },
    { signal },
  );
  const { completion } = result;
  const values: readonly unknown[] =
    isJson(completion) && Array.isArray(completion['values']) ? completion['values'] : [];
  return values.filter((value) => typeof value === 'string');
}

/**
 * Sends one request.
 *
 * @throws McpError with the message of an error response, or for a result that is not an object
 */
export async function send(
  { method, layer }: Target,
  params: Json,
  { onProgress, signal }: Partial<Interaction> = {},
): Promise<Json> {
  lastId += 1;
  const id = lastId;
  for await (const line of lines(
    `mcp?${layerQuery(layer)}`,
    { jsonrpc: '2.0', id, method, params },
    signal,
  )) {
    const { params: reported, error, result } = line;
    if (line['method'] === 'notifications/progress' && isJson(reported)) onProgress?.(reported);
    if (line['id'] !== id) continue;
    if (error !== undefined) throw new McpError(messageOf(error));
    if (!isJson(result))
      throw new McpError(`The server has answered with no object: ${JSON.stringify(result)}`);
    return result;
  }
  throw new McpError('mcpmux has ended before it answered.');
}

function messageOf(error: unknown): string {
  return (
    (isJson(error) && textIn(error['message'])) || `An error without a message: ${JSON.stringify(error)}`
  );
}

/** Reports to mcpmux that a request that waits for answers will get none. The outcome is ignored. */
async function withdraw({ method, layer }: Target, params: Json): Promise<void> {
  lastId += 1;
  const message = { jsonrpc: '2.0', id: lastId, method, params };
  try {
    for await (const _ of lines(`mcp?withdrawn&${layerQuery(layer)}`, message));
  } catch {
    // The time limit in mcpmux ends the request.
  }
}

function unlessAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason as Error);
    if (signal.aborted) return abort();
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
