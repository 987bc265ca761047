import { ErrorCode, errorLine } from '@mcpmux/wire';
import type { ToolDirectory } from '../../routing/route-tool-call.js';
import type { RequestRoute } from '../../routing/route-request.js';
import { CALL_TOOL } from '../caller/call-tool.js';
import { textParam, type ClientRequest } from '../request/client-request.js';

/** A client whose calls all hang can still manage its servers: so many calls of mcpmux's own tools go beyond the bound. */
export const RESERVED_FOR_OWN_TOOLS = 64;

const ANSWERED_AT_ONCE: ReadonlySet<RequestRoute['kind']> = new Set([
  'initialize',
  'ping',
  'list',
  'set-level',
]);

/** What one client has in flight, and may have. */
export interface ClientLoad {
  readonly inFlight: number;
  readonly limit: number;
}

/** The answer to one request too many of a client; undefined when it can be carried out. */
export function tooManyInFlight(
  request: ClientRequest,
  kind: RequestRoute['kind'],
  { inFlight, limit }: ClientLoad,
  directory: ToolDirectory,
): Buffer | undefined {
  if (inFlight < limit || ANSWERED_AT_ONCE.has(kind)) return undefined;
  if (inFlight < limit + RESERVED_FOR_OWN_TOOLS && isManagement(request, kind, directory)) return undefined;
  const message = `mcpmux is busy: ${inFlight} requests of this client are in flight. Try again when some are answered.`;
  return errorLine(request.id, { code: ErrorCode.InternalError, message, data: { reason: 'busy' } });
}

/** `call_tool` is as long in flight as the tool that it calls. */
function isManagement(request: ClientRequest, kind: RequestRoute['kind'], directory: ToolDirectory): boolean {
  if (kind !== 'call-tool') return false;
  const name = textParam(request, 'name')?.text;
  return name !== undefined && name !== CALL_TOOL && directory.isOwnTool(name);
}
