import type { OutgoingLine } from '../splice/outgoing-line.js';
import type { RawId } from './request-id.js';

/** Error codes of JSON-RPC 2.0 that mcpmux uses, and three that MCP defines. It mints none in the server range -32000…-32099. */
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
/** One of the codes of {@link ErrorCode}. */
export type ErrorCode = (typeof ErrorCode)[keyof typeof ErrorCode];

/** A JSON-RPC error as mcpmux itself gives it. `data` must be serializable. */
export interface RpcError {
  readonly code: ErrorCode;
  readonly message: string;
  readonly data?: unknown;
}

/** The id of an answer to a message whose own id could not be read. */
export const NULL_ID = 'null' as RawId;

/** A response line whose result is given as JSON text. */
export function resultLine(id: RawId, resultJson: string): Buffer {
  return Buffer.from(`{"jsonrpc":"2.0","id":${id},"result":${resultJson}}\n`);
}

const RESULT_END = Buffer.from('}\n');

/** {@link resultLine} for a result that exists as bytes already: they are not copied. */
export function resultBytesLine(id: RawId, result: Buffer): OutgoingLine {
  return [Buffer.from(`{"jsonrpc":"2.0","id":${id},"result":`), result, RESULT_END];
}

/** An error response line. */
export function errorLine(id: RawId, error: RpcError): Buffer {
  return Buffer.from(`{"jsonrpc":"2.0","id":${id},"error":${JSON.stringify(error)}}\n`);
}

/** A request line with an integer id, as mcpmux sends them to servers. */
export function requestLine(id: number, method: string, params?: unknown): Buffer {
  return Buffer.from(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
}

/** A notification line. */
export function notificationLine(method: string, params?: unknown): Buffer {
  return Buffer.from(`${JSON.stringify({ jsonrpc: '2.0', method, params })}\n`);
}
