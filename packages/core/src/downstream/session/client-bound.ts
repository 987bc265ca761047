import { ErrorCode, errorLine } from '@mcpmux/wire';
import type { Limits } from '../../base/limits.js';
import { CALL_TOOL } from '../caller/call-tool.js';
import type { ClientDialect } from '../methods/client-dialect.js';
import { LIST_HANDLERS } from '../methods/common-methods.js';
import type { Exchange } from '../request/exchange.js';

/** A client whose calls all hang can still manage its servers: so many calls of mcpmux's own tools go beyond the bound. */
export const RESERVED_FOR_OWN_TOOLS = 64;

/** The bound, and the methods that it leaves out. */
interface BoundParts {
  readonly limits: Pick<Limits, 'maxPendingPerClient'>;
  readonly dialect: Pick<ClientDialect, 'instant'>;
}

/** Refuses one request too many of a client that has so many others in flight. Returns false when it can be handled. */
export function refusesOneMore(
  exchange: Exchange,
  inFlight: number,
  { limits, dialect }: BoundParts,
): boolean {
  const { maxPendingPerClient: limit } = limits;
  const { method } = exchange;
  if (inFlight < limit || LIST_HANDLERS.has(method) || dialect.instant.has(method)) return false;
  if (inFlight < limit + RESERVED_FOR_OWN_TOOLS && isManagement(exchange)) return false;
  const message = `mcpmux is busy: ${inFlight} requests of this client are in flight. Try again when some are answered.`;
  const error = { code: ErrorCode.InternalError, message, data: { reason: 'busy' } };
  exchange.respond(errorLine(exchange.id, error));
  return true;
}

/** `call_tool` is as long in flight as the tool that it calls. */
function isManagement(exchange: Exchange): boolean {
  if (exchange.method !== 'tools/call') return false;
  const name = exchange.text('name')?.text;
  return name !== undefined && name !== CALL_TOOL && exchange.caller.view.directory.isOwnTool(name);
}
