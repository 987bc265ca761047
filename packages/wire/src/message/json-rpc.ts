import type { OutgoingLine } from '../splice/splice.js';
import type { RawId } from './request-id.js';

/**
 * The JSON-RPC 2.0 error codes that mcpmux uses, and three codes that MCP defines. mcpmux defines no codes of its own
 * in the server range -32000…-32099.
 */
export const ErrorCode = {
  ParseError: -32700,
  InvalidRequest: -32600,
  MethodNotFound: -32601,
  InvalidParams: -32602,
  InternalError: -32603,
  HeaderMismatch: -32020,
  MissingCapability: -32021,
  UnsupportedVersion: -32022,
} as const;
/** A code in {@link ErrorCode}. */
export type ErrorCode = (typeof ErrorCode)[keyof typeof ErrorCode];

/** A JSON-RPC error that mcpmux itself creates. `data` must be serializable. */
export interface RpcError {
  readonly code: ErrorCode;
  readonly message: string;
  readonly data?: unknown;
}

/** The id in a response to a message whose id could not be read. */
export const NULL_ID = 'null' as RawId;

/** Returns a response line. The result is given as JSON text. */
export function resultLine(id: RawId, resultJson: string): Buffer {
  return Buffer.from(`{"jsonrpc":"2.0","id":${id},"result":${resultJson}}\n`);
}

const RESULT_END = Buffer.from('}\n');

/** Like {@link resultLine}, but for a result given as bytes, which are not copied. */
export function resultBytesLine(id: RawId, result: Buffer): OutgoingLine {
  return [Buffer.from(`{"jsonrpc":"2.0","id":${id},"result":`), result, RESULT_END];
}

/** Returns an error response line. */
export function errorLine(id: RawId, error: RpcError): Buffer {
  return Buffer.from(`{"jsonrpc":"2.0","id":${id},"error":${JSON.stringify(error)}}\n`);
}

/** Returns a request line with an integer id, the only kind of id that mcpmux sends to servers. */
export function requestLine(id: number, method: string, params?: unknown): Buffer {
  return Buffer.from(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
}

/** Returns a notification line. */
export function notificationLine(method: string, params?: unknown): Buffer {
  return Buffer.from(`${JSON.stringify({ jsonrpc: '2.0', method, params })}\n`);
}
