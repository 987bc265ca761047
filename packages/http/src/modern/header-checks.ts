import { isUtf8 } from 'node:buffer';

import { ErrorCode, type RpcError } from '@mcpmux/wire';
import type { RequestHeaders } from '../entrance/request-headers.js';
import { REVISION_KEY, type ModernMessage } from './modern-message.js';

const VERSION = 'MCP-Protocol-Version';
const METHOD = 'Mcp-Method';
const NAME = 'Mcp-Name';

/**
 * Returns the error for a message whose headers and body disagree, or that only a header assigns to a revision without
 * sessions. Returns undefined if the mux accepts or refuses the message itself. The mux refuses an incomplete
 * description, and a revision that mcpmux does not support, because headers of an unknown revision may mean anything.
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

/**
 * Returns the error for a request whose header names a revision without sessions, and whose body does not name a
 * revision.
 */
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

/** Returns the error for a header that does not match the method. A notification may omit the header. */
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

/** The encoding of text that a header cannot contain directly. */
const ENCODED = /^=\?base64\?(.*)\?=$/s;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Returns the decoded text of a header, or undefined if it is encoded and cannot be decoded. */
export function headerText(value: string): string | undefined {
  const [, encoded] = ENCODED.exec(value) ?? [];
  if (encoded === undefined) return value;
  if (!BASE64.test(encoded)) return undefined;
  const bytes = Buffer.from(encoded, 'base64');
  return isUtf8(bytes) ? bytes.toString() : undefined;
}
