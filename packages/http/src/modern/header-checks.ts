import { ErrorCode, type RpcError } from '@mcpmux/wire';

import type { RequestHeaders } from '../entrance/request-headers.js';
import { headerText } from './header-text.js';
import { REVISION_KEY, type ModernMessage } from './modern-message.js';

const VERSION = 'MCP-Protocol-Version';
const METHOD = 'Mcp-Method';
const NAME = 'Mcp-Name';

/**
 * The error of a message whose headers and body disagree, or that a header alone assigns to a revision without sessions.
 * Undefined for a message that the mux may have, or itself refuses: one whose description is incomplete, or that names a
 * revision which mcpmux does not speak. Headers of an unknown revision may mean anything.
 */
export function headerProblem(message: ModernMessage, headers: RequestHeaders): RpcError | undefined {
  const { isRequest, claims, revision, isDescribed } = message;
  const version = headers.get('mcp-protocol-version');
  if (!claims) return isRequest ? undescribed(message) : methodProblem(message, headers);
  if (revision !== undefined && version !== revision && (isRequest || version !== undefined))
    return mismatch(VERSION, 'The body names a revision', version);
  if (isRequest && !isDescribed) return undefined;
  return methodProblem(message, headers) ?? nameProblem(message, headers);
}

/** A request whose header names a revision without sessions, and whose body names none. */
function undescribed({ method }: ModernMessage): RpcError {
  if (method === 'initialize') {
    const message = `The header ${VERSION} names a revision that has no initialize`;
    return { code: ErrorCode.HeaderMismatch, message, data: { header: VERSION } };
  }
  const problem = 'is missing';
  return {
    code: ErrorCode.InvalidParams,
    message: `params._meta[${JSON.stringify(REVISION_KEY)}] ${problem}`,
    data: { envelope: { key: REVISION_KEY, problem } },
  };
}

/** A notification may come without the header. */
function methodProblem({ isRequest, method }: ModernMessage, headers: RequestHeaders): RpcError | undefined {
  const sent = headers.get('mcp-method');
  if (sent === method || (sent === undefined && !isRequest)) return undefined;
  return mismatch(METHOD, 'The body names a method', sent);
}

function nameProblem({ named }: ModernMessage, headers: RequestHeaders): RpcError | undefined {
  if (named === undefined) return undefined;
  const sent = headers.get('mcp-name');
  if (sent !== undefined && headerText(sent) === named.text) return undefined;
  return mismatch(NAME, `The body names params.${named.member}`, sent);
}

function mismatch(header: string, body: string, sent: string | undefined): RpcError {
  const problem = sent === undefined ? 'is missing' : 'names another one';
  const message = `${body}, and the header ${header} ${problem}`;
  return { code: ErrorCode.HeaderMismatch, message, data: { header } };
}
