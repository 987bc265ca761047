import { escapeControls } from '../base/escape-controls.js';
import { isRecord } from '../base/is-record.js';
import { shownStart, type TextMask } from '../base/text-mask.js';
import { contentProblem, statusProblem, thrownProblem } from './describe-problem.js';
import type { RemoteEndpoint } from './remote-endpoint.js';
import type { RemoteError } from './remote-error.js';
import type { Fetch } from './remote-transport.js';
import { isScopeChallenge } from './scopes.js';
import { redactUrl } from '../redact/redact-url.js';

/** What a body may say of its error, in characters. */
const MAX_DETAIL = 200;
/** More of a body is not read to find it. */
const MAX_READ = 4096;

/** How an attempt to listen to what the server says by itself has ended. */
export type ListenOutcome = 'open' | { readonly problem: RemoteError };

/** What {@link checked} works with. */
export interface ResponseCheckInit {
  /** The url as it may be shown. */
  readonly where: string;
  readonly fetch: Fetch;
  /** To hosts that the server has named for getting tokens. */
  readonly fetchNamed: Fetch;
  /** Whether a request is answered by the response to its POST; with the deprecated transport it is not. */
  readonly isAnsweredByPost: boolean;
  readonly endpoint: RemoteEndpoint;
  /** Takes secrets out of what a refusal says. */
  readonly mask: TextMask;
  /** A GET was answered, or not. */
  readonly listened: (outcome: ListenOutcome) => void;
}

/**
 * `fetch` that rejects with a {@link RemoteError} for whatever is no answer of an MCP server. Redirects come through: the
 * SDK follows those that stay with the server, and keeps the headers from going anywhere else.
 */
export function checked(check: ResponseCheckInit): Fetch {
  const { where, listened } = check;
  return async (url, init) => {
    if (isForAuthorization(check, url, init)) return authorizing(check, url, init);
    const isGet = (init?.method ?? 'GET') === 'GET';
    try {
      const response = await fetched(check, url, init);
      if (isGet && response.ok) listened('open');
      return response;
    } catch (error) {
      const problem = thrownProblem(where, error);
      if (isGet && init?.signal?.aborted !== true) listened({ problem });
      throw problem;
    }
  };
}

async function fetched(
  { where, fetch, isAnsweredByPost, endpoint, mask }: ResponseCheckInit,
  url: string | URL,
  init: RequestInit | undefined,
): Promise<Response> {
  const response = await fetch(url, init);
  const { status } = response;
  // That there is no stream to listen to, and no session to end, is for the SDK.
  if (isRedirect(status) || (status === 405 && init?.method !== 'POST')) return response;
  if (isForToken(endpoint, response)) return response;
  if (!response.ok) throw statusProblem(where, status, await detailOf(response, mask));
  if (isAnsweredByPost && isRequest(init) && status === 200 && !isMessage(response)) {
    await response.body?.cancel();
    throw contentProblem(where, status, response.headers.get('content-type'));
  }
  return response;
}

/**
 * With credentials at hand these are no end: the SDK gets a token and tries again, and the login of a user notes the
 * scope that it lacks.
 */
function isForToken({ clientCredentials, login }: RemoteEndpoint, response: Response): boolean {
  const { status } = response;
  if (clientCredentials !== undefined) return status === 401 || status === 403;
  return login !== undefined && (status === 401 || isScopeChallenge(response));
}

/** Whether this is part of getting a token: a document that says where, or the request for it. */
function isForAuthorization(
  { endpoint }: ResponseCheckInit,
  url: string | URL,
  init: RequestInit | undefined,
): boolean {
  if (endpoint.clientCredentials === undefined && endpoint.login === undefined) return false;
  const type = new Headers(init?.headers).get('content-type') ?? '';
  return (
    new URL(url).pathname.includes('/.well-known/') || type.startsWith('application/x-www-form-urlencoded')
  );
}

/** The headers of the configuration are for the server alone, and stay behind. */
async function authorizing(
  { endpoint, fetchNamed }: ResponseCheckInit,
  url: string | URL,
  init: RequestInit | undefined,
): Promise<Response> {
  const headers = new Headers(init?.headers);
  for (const [name, value] of Object.entries(endpoint.headers))
    if (headers.get(name) === value) headers.delete(name);
  try {
    return await fetchNamed(url, { ...init, headers });
  } catch (error) {
    throw thrownProblem(redactUrl(String(url)), error);
  }
}

function isRedirect(status: number): boolean {
  return status >= 300 && status < 400;
}

function isMessage({ headers }: Response): boolean {
  return /^(?:application\/json|text\/event-stream)\b/i.test(headers.get('content-type') ?? '');
}

/** Only the answer to a request has to be a message. */
function isRequest(init: RequestInit | undefined): boolean {
  if (init?.method !== 'POST' || typeof init.body !== 'string') return false;
  return /"method"\s*:/.test(init.body) && /"id"\s*:/.test(init.body);
}

/** What the body of a refusal says: the message of a JSON error, or a short text. */
async function detailOf(response: Response, mask: TextMask): Promise<string | undefined> {
  const text = await beginningOf(response).catch(() => '');
  const type = response.headers.get('content-type') ?? '';
  if (type.includes('html') || text.trimStart().startsWith('<')) return undefined;
  const detail = (messageIn(text) ?? text).replaceAll(/\s+/g, ' ').trim();
  const isWhole = Buffer.byteLength(text) < MAX_READ;
  const shown = escapeControls(shownStart(mask, detail, MAX_DETAIL, isWhole));
  return shown === '' ? undefined : shown;
}

async function beginningOf({ body }: Response): Promise<string> {
  if (body === null) return '';
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body as ReadableStream<Uint8Array>) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= MAX_READ) break;
  }
  return Buffer.concat(chunks).toString('utf8', 0, MAX_READ);
}

function messageIn(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (!isRecord(value)) return undefined;
    const { error, message, error_description: description } = value;
    const found = isRecord(error) ? error['message'] : (description ?? message ?? error);
    return typeof found === 'string' ? found : undefined;
  } catch {
    return undefined;
  }
}
