import {
  inOnePiece,
  JsonReader,
  type Message,
  type OutgoingLine,
  type RawId,
  readMessage,
  resultBytesLine,
  valuePaths,
  valueSpans,
} from '@mcpmux/wire';
import type { GuardAnswer } from './guard.js';

const IS_ERROR_PATH = valuePaths([['isError']]);
const JSON_TRUE = 'true';
const ENVELOPE_END = Buffer.from('}\n');
const LINE_FEED = 0x0a;
const OPEN_BRACE = 0x7b;

/** An answer from a server or from mcpmux itself, read from the line to be sent to the client. */
export class LineAnswer implements GuardAnswer {
  /** The whole line as an owned line, because guards may read it asynchronously. */
  readonly line: Buffer;
  private parsedMessage: Extract<Message, { kind: 'response' }> | undefined;

  constructor(line: OutgoingLine) {
    this.line = inOnePiece(line);
  }

  get bytes(): number {
    return this.line.length;
  }

  get kind(): 'result' | 'error' {
    return this.message.result === undefined ? 'error' : 'result';
  }

  get isToolError(): boolean {
    const { result } = this.message;
    if (result === undefined) return false;
    return valueSpans(this.line, result, IS_ERROR_PATH).some(
      ({ span }) => this.line.toString('utf8', span.start, span.end) === JSON_TRUE,
    );
  }

  get json(): Buffer {
    const { result, error } = this.message;
    const span = result ?? error;
    return span === undefined ? Buffer.from('null') : Buffer.from(this.line.subarray(span.start, span.end));
  }

  private get message(): Extract<Message, { kind: 'response' }> {
    if (this.parsedMessage !== undefined) return this.parsedMessage;
    const message = readMessage(this.line, []);
    if (message.kind !== 'response') throw new Error('the answer is not a response');
    this.parsedMessage = message;
    return message;
  }
}

/**
 * Returns an answer that a guard can return instead of the server's answer.
 *
 * @param result an object, or its JSON text without line breaks, as a string or as bytes
 * @param isToolError true if `result` is a tool result with `isError: true`
 */
export function resultAnswer(result: object | string | Uint8Array, isToolError = false): GuardAnswer {
  const json = jsonOfResult(result);
  return { kind: 'result', isToolError, bytes: json.length, json };
}

function jsonOfResult(result: unknown): Buffer {
  if (Buffer.isBuffer(result)) return result;
  if (isBytes(result)) return Buffer.from(result.buffer, result.byteOffset, result.byteLength);
  const text: unknown = typeof result === 'object' && result !== null ? JSON.stringify(result) : result;
  if (typeof text === 'string') return Buffer.from(text);
  throw new TypeError(`resultAnswer takes an object or its JSON text, not ${describeType(result)}`);
}

/**
 * Returns a guard's answer as the response line to the request with this id. Validates the answer, because a guard is
 * host code that may return anything.
 *
 * @throws Error whose message describes the problem with the answer
 */
export function answerLine(id: RawId, answer: unknown): OutgoingLine {
  if (!isAnswer(answer)) throw new Error(`it returned ${describeType(answer)}, which is no answer`);
  const json: unknown = answer.json;
  if (!isBytes(json)) throw new Error(`the json of its answer is ${describeType(json)}, not a Buffer`);
  const bytes = Buffer.from(json.buffer, json.byteOffset, json.byteLength);
  if (!isObjectOnOneLine(bytes)) throw new Error('its answer is not the JSON text of one object on one line');
  if (answer.kind === 'result') return resultBytesLine(id, bytes);
  return [Buffer.from(`{"jsonrpc":"2.0","id":${id},"error":`), bytes, ENVELOPE_END];
}

function isAnswer(answer: unknown): answer is GuardAnswer {
  if (typeof answer !== 'object' || answer === null) return false;
  const { kind } = answer as Partial<Record<keyof GuardAnswer, unknown>>;
  return (kind === 'result' || kind === 'error') && 'json' in answer;
}

function isBytes(value: unknown): value is Uint8Array {
  return value instanceof Uint8Array;
}

/**
 * True if the bytes are exactly one JSON object without a line feed. A line feed would make a client read two lines.
 */
function isObjectOnOneLine(bytes: Buffer): boolean {
  const reader = new JsonReader(bytes);
  const start = reader.afterSpace(0);
  if (bytes[start] !== OPEN_BRACE || bytes.includes(LINE_FEED)) return false;
  try {
    reader.expectEnd(reader.value(start));
    return true;
  } catch {
    return false;
  }
}

function describeType(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
