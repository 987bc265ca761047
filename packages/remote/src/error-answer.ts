import { readIssuedId, readMessage, type Span, valuePaths, valueSpans } from '@mcpmux/wire';

const ERROR_PATHS = valuePaths([['jsonrpc'], ['error'], ['error', 'code']]);

/** An error response to a request. */
export interface ErrorAnswer {
  readonly line: Buffer;
  /** The error's code. */
  readonly code: number;
}

/**
 * Makes a JSON-RPC error in a rejection's body the response to the request with this id, because a server may reject a
 * request before reading its id. Returns undefined for any other body.
 */
export function errorAnswer(body: Buffer, id: number): ErrorAnswer | undefined {
  const message = readMessage(body, []);
  if (message.kind === 'malformed' ? !message.isJson : message.kind !== 'response') return undefined;
  const found = valueSpans(body, { start: 0, end: body.length }, ERROR_PATHS);
  const at = (path: string): Span | undefined => found.findLast((value) => value.path === path)?.span;
  const textAt = ({ start, end }: Span): string => body.toString('utf8', start, end);
  const [error, codeAt] = [at('error'), at('error.code')];
  if (error === undefined || codeAt === undefined || at('jsonrpc') === undefined) return undefined;
  const code = Number(textAt(codeAt));
  if (message.kind === 'response' && readIssuedId(body, message.id) === id) return { line: body, code };
  return { line: Buffer.from(`{"jsonrpc":"2.0","id":${id},"error":${textAt(error)}}`), code };
}
