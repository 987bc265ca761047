import { readIssuedId, readMessage, type Span, valuePaths, valueSpans } from '@mcpmux/wire';

const ERROR = valuePaths([['jsonrpc'], ['error'], ['error', 'code']]);

/**
 * The error of JSON-RPC that stands in the body of a refusal, as the answer to the request with this id. A server may
 * refuse a request before it has read the id. Undefined for a body of another kind.
 */
export function errorAnswer(body: Buffer, id: number): Buffer | undefined {
  const message = readMessage(body, []);
  if (message.kind === 'malformed' ? !message.isJson : message.kind !== 'response') return undefined;
  const found = valueSpans(body, { start: 0, end: body.length }, ERROR);
  const at = (path: string): Span | undefined => found.findLast((value) => value.path === path)?.span;
  const error = at('error');
  if (error === undefined || at('error.code') === undefined || at('jsonrpc') === undefined) return undefined;
  if (message.kind === 'response' && readIssuedId(body, message.id) === id) return body;
  const text = body.toString('utf8', error.start, error.end);
  return Buffer.from(`{"jsonrpc":"2.0","id":${id},"error":${text}}`);
}
