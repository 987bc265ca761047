import { ErrorCode, errorLine } from '@mcpmux/wire';
import { CALL_TOOL } from '../caller/call-tool.js';
import { isInstant } from '../methods/methods.js';
import type { Exchange } from '../request/exchange.js';

/** A client whose calls all hang can still manage its servers: so many calls of mcpmux's own tools go beyond the bound. */
export const RESERVED_FOR_OWN_TOOLS = 64;

/** The requests that one client has in flight beside a new one, and may have. */
export interface ClientLoad {
  readonly inFlight: number;
  readonly limit: number;
}

/** The answer to one request too many of a client; undefined when it can be handled. */
export function tooManyInFlight(exchange: Exchange, { inFlight, limit }: ClientLoad): Buffer | undefined {
  if (inFlight < limit || isInstant(exchange.method)) return undefined;
  if (inFlight < limit + RESERVED_FOR_OWN_TOOLS && isManagement(exchange)) return undefined;
  const message = `mcpmux is busy: ${inFlight} requests of this client are in flight. Try again when some are answered.`;
  return errorLine(exchange.id, { code: ErrorCode.InternalError, message, data: { reason: 'busy' } });
}

/** `call_tool` is as long in flight as the tool that it calls. */
function isManagement(exchange: Exchange): boolean {
  if (exchange.method !== 'tools/call') return false;
  const name = exchange.text('name')?.text;
  return name !== undefined && name !== CALL_TOOL && exchange.caller.view.directory.isOwnTool(name);
}
