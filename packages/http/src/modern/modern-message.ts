import { isUtf8 } from 'node:buffer';

import {
  keyPaths,
  MessageReader,
  NULL_ID,
  paramText,
  readId,
  type RawId,
  stringAt,
  ErrorCode,
  type RpcError,
} from '@mcpmux/wire';
import type { RequestHeaders } from '../entrance/request-headers.js';

/** Revisions without sessions, in which each request describes its client and is independent of other requests. */
export const MODERN_REVISIONS: ReadonlySet<string> = new Set(['2026-07-28']);

/** The revision's key in `_meta`. A message that has this key describes its client. */
export const REVISION_KEY = 'io.modelcontextprotocol/protocolVersion';
const CAPABILITIES_KEY = 'io.modelcontextprotocol/clientCapabilities';

const REVISION_PATH = `_meta.${REVISION_KEY}`;
const CAPABILITIES_PATH = `_meta.${CAPABILITIES_KEY}`;
const OPEN_BRACE = 0x7b;

/** The member of `params` that the `Mcp-Name` header repeats, by method. */
const NAME_PARAMS: ReadonlyMap<string, string> = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
  ['tasks/get', 'taskId'],
  ['tasks/update', 'taskId'],
  ['tasks/cancel', 'taskId'],
]);

const reader = new MessageReader(
  keyPaths([['_meta', REVISION_KEY], ['_meta', CAPABILITIES_KEY], 'name', 'uri', 'taskId']),
);

/** The parts of a request or notification that serving it in a revision without sessions requires. */
export interface ModernMessage {
  readonly line: Buffer;
  readonly isRequest: boolean;
  /** The id, if the message is a request. */
  readonly id: RawId;
  readonly method: string;
  /** True if the message claims to describe its client. */
  readonly namesRevision: boolean;
  /** The revision named in the message. Undefined if it is missing or not a string. */
  readonly revision: string | undefined;
  /** False if the mux would reject the client description. */
  readonly describesClient: boolean;
  /** The member of `params` that the `Mcp-Name` header repeats, and its text. */
  readonly nameParam: { readonly member: string; readonly text: string } | undefined;
}

/** Reads a request or notification. Returns undefined for any other message. */
export function readModernMessage(line: Buffer): ModernMessage | undefined {
  const message = reader.read(line);
  if (message.kind !== 'request' && message.kind !== 'notification') return undefined;
  const { method, params } = message;
  const isRequest = message.kind === 'request';
  const read = isRequest ? readId(line, message.id) : { id: NULL_ID };
  if ('problem' in read) return undefined;
  const found = params.get(REVISION_PATH);
  const revision = found && stringAt(line, found);
  const capabilities = params.get(CAPABILITIES_PATH);
  const describesClient =
    revision !== undefined &&
    MODERN_REVISIONS.has(revision) &&
    capabilities !== undefined &&
    line[capabilities.start] === OPEN_BRACE;
  const member = NAME_PARAMS.get(method);
  const text = member && paramText(line, message, member);
  const nameParam = member !== undefined && text !== undefined ? { member, text } : undefined;
  return {
    line,
    isRequest,
    id: read.id,
    method,
    namesRevision: found !== undefined,
    revision,
    describesClient,
    nameParam,
  };
}

const VERSION_HEADER = 'MCP-Protocol-Version';
const METHOD_HEADER = 'Mcp-Method';
const NAME_HEADER = 'Mcp-Name';

/**
 * Returns the error for a message whose headers and body disagree, or whose revision is named only by a header.
 * Otherwise returns undefined: the mux itself rejects incomplete descriptions and unsupported revisions. In an
 * unsupported revision, headers may have any meaning.
 */
export function headerProblem(message: ModernMessage, headers: RequestHeaders): RpcError | undefined {
  const { isRequest, namesRevision, revision, describesClient } = message;
  const version = headers.get('mcp-protocol-version');
  if (!namesRevision) return isRequest ? undescribedError(message) : methodProblem(message, headers);
  if (revision !== undefined && version !== revision && (isRequest || version !== undefined))
    return mismatchError(VERSION_HEADER, 'The body names a revision', version);
  if (isRequest && !describesClient) return undefined;
  return methodProblem(message, headers) ?? nameProblem(message, headers);
}

/** Returns the error for a request whose header names a revision without sessions but whose body names none. */
function undescribedError({ method }: ModernMessage): RpcError {
  if (method === 'initialize') {
    const message = `The header ${VERSION_HEADER} names a revision that has no initialize`;
    return { code: ErrorCode.HeaderMismatch, message, data: { header: VERSION_HEADER } };
  }
  const problem = 'is missing';
  return {
    code: ErrorCode.InvalidParams,
    message: `params._meta[${JSON.stringify(REVISION_KEY)}] ${problem}`,
    data: { envelope: { key: REVISION_KEY, problem } },
  };
}

/** Returns the error for a method header that contradicts the body. A notification may omit the header. */
function methodProblem({ isRequest, method }: ModernMessage, headers: RequestHeaders): RpcError | undefined {
  const sent = headers.get('mcp-method');
  if (sent === method || (sent === undefined && !isRequest)) return undefined;
  return mismatchError(METHOD_HEADER, 'The body names a method', sent);
}

function nameProblem({ nameParam }: ModernMessage, headers: RequestHeaders): RpcError | undefined {
  if (nameParam === undefined) return undefined;
  const sent = headers.get('mcp-name');
  if (sent !== undefined && decodeHeaderText(sent) === nameParam.text) return undefined;
  return mismatchError(NAME_HEADER, `The body names params.${nameParam.member}`, sent);
}

function mismatchError(header: string, body: string, sent: string | undefined): RpcError {
  const problem = sent === undefined ? 'is missing' : 'names another one';
  const message = `${body}, and the header ${header} ${problem}`;
  return { code: ErrorCode.HeaderMismatch, message, data: { header } };
}

/** Matches the encoding of text that a header cannot contain directly. */
const ENCODED_TEXT = /^=\?base64\?(.*)\?=$/s;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Decodes a header's text. Returns undefined if its encoding is invalid. */
export function decodeHeaderText(value: string): string | undefined {
  const [, encoded] = ENCODED_TEXT.exec(value) ?? [];
  if (encoded === undefined) return value;
  if (!BASE64.test(encoded)) return undefined;
  const bytes = Buffer.from(encoded, 'base64');
  return isUtf8(bytes) ? bytes.toString() : undefined;
}
