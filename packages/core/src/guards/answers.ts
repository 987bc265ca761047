import {
  inOnePiece,
  type Message,
  type OutgoingLine,
  type RawId,
  readMessage,
  resultBytesLine,
  valuePaths,
  valueSpans,
} from '@mcpmux/wire';
import type { GuardAnswer } from './guard.js';

const IS_ERROR = valuePaths([['isError']]);
const TRUE = 'true';
const LINE_END = Buffer.from('}\n');

/** The answer of a server or of mcpmux itself, as the line that goes to the client. */
export class LineAnswer implements GuardAnswer {
  /** In memory of its own: guards may take their time. */
  readonly line: Buffer;
  private read: Extract<Message, { kind: 'response' }> | undefined;

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
    return valueSpans(this.line, result, IS_ERROR).some(
      ({ span }) => this.line.toString('utf8', span.start, span.end) === TRUE,
    );
  }

  json(): Buffer {
    const { result, error } = this.message;
    const span = result ?? error;
    return span === undefined ? Buffer.from('null') : Buffer.from(this.line.subarray(span.start, span.end));
  }

  private get message(): Extract<Message, { kind: 'response' }> {
    if (this.read !== undefined) return this.read;
    const message = readMessage(this.line, []);
    if (message.kind !== 'response') throw new Error('the answer is not a response');
    this.read = message;
    return message;
  }
}

/**
 * A result that a guard gives in place of a server.
 *
 * @param json JSON text without line breaks
 * @param isToolError it is a result of a tool that has `isError`
 */
export function resultAnswer(json: Buffer, isToolError = false): GuardAnswer {
  return { kind: 'result', isToolError, bytes: json.length, json: () => json };
}

/** The line that gives an answer to the request with this id. */
export function answerLine(id: RawId, answer: GuardAnswer): OutgoingLine {
  if (answer.kind === 'result') return resultBytesLine(id, answer.json());
  return [Buffer.from(`{"jsonrpc":"2.0","id":${id},"error":`), answer.json(), LINE_END];
}
