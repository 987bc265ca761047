import { readMessage } from '@mcpmux/wire';
import { calledByCallTool } from '../caller/call-tool.js';
import { CLIENT_PATHS } from '../caller/client-paths.js';
import type { RequestLine } from './exchange.js';

/**
 * Returns the request that a call to `call_tool` represents, as if the client had called the named tool itself, or the
 * problem with the call.
 */
export function requestInCallTool(line: Buffer): RequestLine | { readonly problem: string } {
  const inner = calledByCallTool(line);
  if ('problem' in inner) return inner;
  const message = readMessage(inner.line, CLIENT_PATHS);
  if (message.kind !== 'request') throw new Error('the request inside call_tool is not a request');
  return { line: inner.line, idSpan: message.id, params: message.params };
}
