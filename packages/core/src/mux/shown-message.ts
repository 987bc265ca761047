import { hintsOf, inOnePiece, type Message, type OutgoingLine, readMessage } from '@mcpmux/wire';
import { cutText } from '../base/cut-text.js';
import { escapeControls } from '../base/escape-controls.js';
import { isRecord } from '../base/is-record.js';
import { maskArgs } from '../redact/mask-secrets.js';
import { REDACTED, type Redactor } from '../redact/redactor.js';
import { isSecretName } from '../redact/secret-name.js';
import { MAX_SHOWN_BODY } from './shown-call.js';

/** A message between a client and mcpmux, as a reader of the session gets it. */
export interface SessionMessage {
  readonly type: 'message';
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly from: 'client' | 'mcpmux';
  readonly kind: 'request' | 'notification' | 'result' | 'error' | 'unknown';
  /** JSON of the id; absent for a notification. */
  readonly id?: string;
  readonly method?: string;
  readonly bytes: number;
  /** The beginning of the message, without secrets; of a bounded number of messages per second. */
  readonly text?: string;
}

type Envelope = Pick<SessionMessage, 'kind' | 'id' | 'method'>;

/** Longer messages are told by their size, kind and id alone. */
const MAX_READ_BYTES = 64 * 1024;
/** The ends of a longer message that are read for its id. */
const END_BYTES = 1024;
/** Members of `add_server` whose values are secret under every name. */
const SECRET_MEMBERS: ReadonlySet<string> = new Set(['env', 'headers']);

/** What a message is. */
export function envelopeOf(line: OutgoingLine): Envelope & Pick<SessionMessage, 'bytes'> {
  const bytes = sizeOf(line);
  if (bytes <= MAX_READ_BYTES) {
    const whole = inOnePiece(line);
    return { ...shownEnvelope(whole, readMessage(whole, [])), bytes };
  }
  const [head, tail] = endsOf(line);
  const { id, kind } = hintsOf(head, tail);
  const shown = kind === 'response' ? 'result' : 'unknown';
  return { kind: shown, ...(id !== undefined && { id }), bytes };
}

/** The text of a message; undefined for one that is too long to be read without its secrets. */
export function messageText(line: OutgoingLine, redactor: Redactor): string | undefined {
  if (sizeOf(line) > MAX_READ_BYTES) return undefined;
  const text = inOnePiece(line).toString('utf8').trimEnd();
  const [shown = ''] = maskArgs([redactor.redact(withoutValues(text))]).args;
  return cutText(escapeControls(shown), MAX_SHOWN_BODY);
}

function sizeOf(line: OutgoingLine): number {
  return Array.isArray(line)
    ? line.reduce((sum: number, { length }: Buffer) => sum + length, 0)
    : line.length;
}

function endsOf(line: OutgoingLine): readonly [Buffer, Buffer] {
  const pieces: readonly Buffer[] = Array.isArray(line) ? (line as readonly Buffer[]) : [inOnePiece(line)];
  const [first = Buffer.alloc(0)] = pieces;
  const last = pieces.at(-1) ?? first;
  return [first.subarray(0, END_BYTES), last.subarray(-END_BYTES)];
}

function shownEnvelope(line: Buffer, message: Message): Envelope {
  if (message.kind === 'malformed') return { kind: 'unknown' };
  if (message.kind === 'notification') return { kind: 'notification', method: message.method };
  const id = line.toString('utf8', message.id.start, message.id.end);
  if (message.kind === 'request') return { kind: 'request', id, method: message.method };
  return { kind: message.error === undefined ? 'result' : 'error', id };
}

/** The same JSON without the values of secret members: a server that is only being added has no known secrets. */
function withoutValues(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text, masked));
  } catch {
    return text;
  }
}

function masked(key: string, value: unknown): unknown {
  if (SECRET_MEMBERS.has(key) && isRecord(value))
    return Object.fromEntries(Object.keys(value).map((name) => [name, REDACTED]));
  return typeof value === 'string' && isSecretName(key) ? REDACTED : value;
}
