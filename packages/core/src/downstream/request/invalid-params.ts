import { ErrorCode, errorLine } from '@mcpmux/wire';
import type { Exchange } from './exchange.js';

/** Answers that the params are wrong: a protocol error, as the specification has it for unknown names. */
export function invalidParams(exchange: Exchange, message: string, data?: unknown): void {
  const error = { code: ErrorCode.InvalidParams, message, ...(data !== undefined && { data }) };
  exchange.respond(errorLine(exchange.id, error));
}
