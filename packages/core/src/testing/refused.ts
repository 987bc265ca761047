import type { ServerResponse } from 'node:http';

/** Answers a request with a JSON error, in place of the server. */
export function refused(response: ServerResponse, status: number, message: string): true {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32_000, message } }));
  return true;
}
