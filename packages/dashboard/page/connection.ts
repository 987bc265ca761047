import { turn } from './turn.js';

const KEY = 'mcpmux-page-key';
/** The token in a link, which is 32 bytes in base64url. View names begin with a slash. */
const TOKEN = /^#([\w-]{43})$/;

/** The mcpmux that serves the page has refused a request. */
export class RequestError extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/** A JSON object. */
export type Json = Readonly<Record<string, unknown>>;

/** True if the address contains the token of a link. */
export function hasToken(): boolean {
  return TOKEN.test(location.hash);
}

/**
 * Exchanges the token of the link that opened the page, if there is one. Removes the token from the address and the
 * history.
 *
 * @returns the refusal of a link that was already used or has expired, because this browser may still have a session
 */
export async function logIn(): Promise<RequestError | undefined> {
  const token = TOKEN.exec(location.hash)?.[1];
  if (token === undefined) return undefined;
  history.replaceState(undefined, '', '/ui/#/servers');
  try {
    const { key } = await post<{ readonly key: string }>('login', { token });
    localStorage.setItem(KEY, key);
    return undefined;
  } catch (error) {
    if (isUnauthorized(error)) return error;
    throw error;
  }
}

/** True for the refusal of a browser without a session. */
export function isUnauthorized(error: unknown): error is RequestError {
  return error instanceof RequestError && error.status === 401;
}

/** Ends the session of this browser. */
export async function logOut(): Promise<void> {
  await post('logout', {}).catch(() => undefined);
  localStorage.removeItem(KEY);
}

/** Requests data of the page. */
export async function get<Value>(path: string, signal?: AbortSignal): Promise<Value> {
  return answerOf<Value>(await request(path, undefined, signal));
}

/** Sends a change. */
export async function post<Value>(path: string, body: object): Promise<Value> {
  return answerOf<Value>(await request(path, body));
}

/**
 * Yields the JSON lines of a response as they arrive.
 *
 * @param heard called for each part of the response, even if the part ends within a line
 */
export async function* lines(
  path: string,
  body?: object,
  signal?: AbortSignal,
  heard: () => void = () => undefined,
): AsyncGenerator<Json> {
  const response = await request(path, body, signal);
  if (!response.ok || response.body === null) return void (await answerOf(response));
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    heard();
    const parts = (rest + value).split('\n');
    rest = parts.pop() ?? '';
    for (const part of parts) if (part !== '') yield JSON.parse(part) as Json;
    // Reads of a stream that is ahead of the page resolve at once, and would block the browser.
    await turn();
  }
}

function request(path: string, body?: object, signal?: AbortSignal): Promise<Response> {
  const key = { 'x-mcpmux-page': localStorage.getItem(KEY) ?? '' };
  const init = signal === undefined ? {} : { signal };
  if (body === undefined) return fetch(`/ui/api/${path}`, { headers: key, ...init });
  const headers = { ...key, 'content-type': 'application/json' };
  return fetch(`/ui/api/${path}`, { method: 'POST', headers, body: JSON.stringify(body), ...init });
}

async function answerOf<Value>(response: Response): Promise<Value> {
  const value = (await response.json()) as Value & { readonly error?: string };
  if (!response.ok) throw new RequestError(response.status, value.error ?? response.statusText);
  return value;
}
