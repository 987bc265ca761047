import type { IncomingMessage, ServerResponse } from 'node:http';

/** An error response to a request that is not served. */
export interface Refusal {
  readonly status: number;
  /** The problem and its remedy, for a human reader. Never contains data from the request. */
  readonly message: string;
  /** The JSON-RPC error code. */
  readonly code?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

const SERVER_ERROR_CODE = -32_000;

/** Statuses after which the connection closes, because the client may still be sending the rejected body. */
const CLOSING_STATUSES: ReadonlySet<number> = new Set([408, 413, 415]);

/**
 * The maximum number of bytes that are discarded after an error response. A client that sends more does not read it.
 */
const MAX_DISCARDED_BYTES = 64 * 1024 * 1024;

/** Responds with a JSON-RPC error, as the specification requires for requests that reach no session. */
export function refuse(
  response: ServerResponse,
  { status, message, code = SERVER_ERROR_CODE, headers = {} }: Refusal,
): void {
  if (response.headersSent) return void response.destroy();
  const text = JSON.stringify({ jsonrpc: '2.0', error: { code, message: `mcpmux: ${message}` }, id: null });
  const isLast = CLOSING_STATUSES.has(status);
  const close = isLast ? { connection: 'close' } : {};
  const length = { 'content-length': Buffer.byteLength(text) };
  response.writeHead(status, { 'content-type': 'application/json', ...length, ...close, ...headers });
  if (!isLast) return void response.end(text);
  response.write(text);
  whenRequestSent(response.req, () => response.end());
}

/**
 * Calls `done` when the client has sent its whole request, or more bytes than may be discarded. Closing the connection
 * earlier would reset it, and the client would not receive the response.
 */
function whenRequestSent(request: IncomingMessage, done: () => void): void {
  if (request.complete || request.destroyed) return done();
  let bytes = 0;
  request.on('data', (part: Buffer) => {
    bytes += part.length;
    if (bytes > MAX_DISCARDED_BYTES) done();
  });
  request.on('end', done).on('close', done);
}
