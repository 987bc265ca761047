import type { ServerResponse } from 'node:http';

/** The reason why a request is not served. */
export interface Refusal {
  readonly status: number;
  /** The problem and its remedy, for a human reader. Never contains data of the request. */
  readonly message: string;
  /** The code of the JSON-RPC error. */
  readonly code?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

const SERVER_ERROR = -32_000;

/** Statuses after which the connection closes, because the client must not go on sending on that connection. */
const ENDS_CONNECTION: ReadonlySet<number> = new Set([408, 413, 415]);

/** Answers with a JSON-RPC error, as the specification requires for requests that reach no session. */
export function refuse(
  response: ServerResponse,
  { status, message, code = SERVER_ERROR, headers = {} }: Refusal,
): void {
  if (response.headersSent) return void response.destroy();
  const text = JSON.stringify({ jsonrpc: '2.0', error: { code, message: `mcpmux: ${message}` }, id: null });
  const close = ENDS_CONNECTION.has(status) ? { connection: 'close' } : {};
  response.writeHead(status, { 'content-type': 'application/json', ...close, ...headers }).end(text);
}
