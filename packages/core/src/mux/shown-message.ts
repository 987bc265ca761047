import {
  cutText,
  escapeControls,
  isRecord,
  isSecretName,
  maskArgs,
  REDACTED,
  type Redactor,
} from '@mcpmux/kit';
import {
  hintsOf,
  inOnePiece,
  type Message,
  type OutgoingLine,
  readMessage,
  type Span,
  valuePaths,
  valueSpans,
} from '@mcpmux/wire';
import type { ObservedCall } from '../client/request/forward.js';

/** Maximum length of a message, or of a call's arguments or result, in an event, in characters. */
const MAX_BODY_CHARACTERS = 16_384;
/** Number of bytes read beyond the cut, so that the redactor recognizes a secret that the cut would split. */
const EXTRA_BYTES = 4096;
const ARGUMENTS_PATH = valuePaths([['params', 'arguments']]);

/**
 * Returns the event members that describe a call's request.
 *
 * @param redactor removes secrets from the arguments; if undefined, the arguments are omitted
 */
export function requestMembers({ exchange }: ObservedCall, redactor: Redactor | undefined) {
  const { caller, line } = exchange;
  const client = caller.profile?.label;
  const fullLine = { start: 0, end: line.length };
  const [match] = redactor ? valueSpans(line, fullLine, ARGUMENTS_PATH) : [];
  return {
    session: caller.session,
    ...(client !== undefined && { client }),
    bytes: line.length,
    ...(match && redactor && argumentsMembers(bodyExcerpt(line, match.span, redactor))),
  };
}

/**
 * Returns the event members that describe the response to a call.
 *
 * @param redactor removes secrets from the result; if undefined, the result is omitted
 */
export function answerMembers(line: Buffer, span: Span, redactor: Redactor | undefined) {
  if (redactor === undefined) return { bytes: line.length };
  const { text, fullBytes } = bodyExcerpt(line, span, redactor);
  return { bytes: line.length, result: text, ...(fullBytes !== undefined && { resultBytes: fullBytes }) };
}

interface BodyExcerpt {
  readonly text: string;
  /** The size of the complete value, in bytes; absent if `text` is not truncated. */
  readonly fullBytes?: number;
}

function argumentsMembers({ text, fullBytes }: BodyExcerpt) {
  return { arguments: text, ...(fullBytes !== undefined && { argumentsBytes: fullBytes }) };
}

/** Returns the beginning of a JSON value, with secrets removed. */
function bodyExcerpt(line: Buffer, { start, end }: Span, redactor: Redactor): BodyExcerpt {
  const readEnd = Math.min(end, start + MAX_BODY_CHARACTERS + EXTRA_BYTES);
  const [maskedText = ''] = maskArgs([redactor.redact(line.toString('utf8', start, readEnd))]).args;
  const escapedText = escapeControls(maskedText);
  const text = cutText(escapedText, MAX_BODY_CHARACTERS);
  return readEnd < end || text.length < escapedText.length ? { text, fullBytes: end - start } : { text };
}

/** A message between a client and mcpmux, as reported to an observer of the session. */
export interface SessionMessage {
  readonly type: 'message';
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly from: 'client' | 'mcpmux';
  readonly kind: 'request' | 'notification' | 'result' | 'error' | 'unknown';
  /** The message's id as JSON; absent for a notification, or if the id is unknown. */
  readonly id?: string;
  readonly method?: string;
  readonly bytes: number;
  /** The beginning of the message, without secrets; absent if a client's message is longer than 64 KiB. */
  readonly text?: string;
}

type Envelope = Pick<SessionMessage, 'kind' | 'id' | 'method'>;

/** Maximum size of a message that is parsed, in bytes. The method of a longer message remains unknown. */
const MAX_READ_BYTES = 64 * 1024;
/** Number of bytes at each end of a message too long to parse that are searched for its id. */
const END_BYTES = 1024;
/** Arguments of `add_server` in which every value may be secret, whatever its name. */
const SECRET_MEMBERS: ReadonlySet<string> = new Set(['env', 'headers']);

/** Returns the kind, the id, the method and the size of a message. */
export function envelopeOf(line: OutgoingLine): Envelope & Pick<SessionMessage, 'bytes'> {
  const bytes = sizeOf(line);
  if (bytes <= MAX_READ_BYTES) {
    const fullLine = inOnePiece(line);
    return { ...parsedEnvelope(fullLine, readMessage(fullLine, [])), bytes };
  }
  const [head, tail] = readEnds(line);
  const { id, kind } = hintsOf(head, tail);
  const likelyKind = kind === 'response' ? 'result' : 'unknown';
  return { kind: likelyKind, ...(id !== undefined && { id }), bytes };
}

/**
 * Returns the beginning of a message, without secrets. Returns undefined for a client's long message: it is not parsed,
 * so secrets of a server that the client is adding could not be masked.
 */
export function messageText(
  line: OutgoingLine,
  from: SessionMessage['from'],
  redactor: Redactor,
): string | undefined {
  const isLong = sizeOf(line) > MAX_READ_BYTES;
  if (isLong && from === 'client') return undefined;
  const text = isLong
    ? readHead(line).toString('utf8')
    : maskSecretValues(inOnePiece(line).toString('utf8').trimEnd());
  const [safeText = ''] = maskArgs([redactor.redact(text)]).args;
  return cutText(escapeControls(safeText), MAX_BODY_CHARACTERS);
}

/** Returns the beginning of a long line, with extra bytes so that the redactor recognizes a secret at the cut. */
function readHead(line: OutgoingLine): Buffer {
  const length = MAX_BODY_CHARACTERS + EXTRA_BYTES;
  if (!isInPieces(line)) return inOnePiece(line).subarray(0, length);
  const pieces: Buffer[] = [];
  let bytes = 0;
  for (const piece of line) {
    if (bytes >= length) break;
    pieces.push(piece.subarray(0, length - bytes));
    bytes += piece.length;
  }
  return Buffer.concat(pieces);
}

function isInPieces(line: OutgoingLine): line is readonly Buffer[] {
  return Array.isArray(line);
}

function sizeOf(line: OutgoingLine): number {
  return isInPieces(line) ? line.reduce((sum, { length }) => sum + length, 0) : line.length;
}

function readEnds(line: OutgoingLine): readonly [Buffer, Buffer] {
  return [readHead(line).subarray(0, END_BYTES), readTail(line)];
}

function readTail(line: OutgoingLine): Buffer {
  if (!isInPieces(line)) return inOnePiece(line).subarray(-END_BYTES);
  const pieces: Buffer[] = [];
  let bytes = 0;
  for (const piece of line.toReversed()) {
    if (bytes >= END_BYTES) break;
    pieces.unshift(piece.subarray(-(END_BYTES - bytes)));
    bytes += piece.length;
  }
  return Buffer.concat(pieces);
}

function parsedEnvelope(line: Buffer, message: Message): Envelope {
  if (message.kind === 'malformed') return { kind: 'unknown' };
  if (message.kind === 'notification') return { kind: 'notification', method: message.method };
  const id = line.toString('utf8', message.id.start, message.id.end);
  if (message.kind === 'request') return { kind: 'request', id, method: message.method };
  return { kind: message.error === undefined ? 'result' : 'error', id };
}

/** Masks secret values in JSON by member name. The redactor does not know secrets of servers not yet added. */
function maskSecretValues(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text, maskSecretValue));
  } catch {
    return text;
  }
}

function maskSecretValue(key: string, value: unknown): unknown {
  if (SECRET_MEMBERS.has(key) && isRecord(value))
    return Object.fromEntries(Object.keys(value).map((name) => [name, REDACTED]));
  return typeof value === 'string' && isSecretName(key) ? REDACTED : value;
}
