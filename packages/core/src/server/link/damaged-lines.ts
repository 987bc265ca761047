import {
  type BorrowedLine,
  type EnvelopeHints,
  hintsOf,
  MAX_BATCH_MESSAGES,
  type Message,
  type OversizedLine,
  type RawId,
  readIssuedId,
  readMessage,
  visitBatch,
} from '@mcpmux/wire';
import type { Calls } from './calls.js';
import { SERVER_MESSAGE_PATHS } from './server-paths.js';
import type { ServerRequests } from './server-requests.js';

/** An unreadable message from a server. */
export type MalformedMessage = Extract<Message, { kind: 'malformed' }>;
/** A readable message from a server. */
export type ServerMessage = Exclude<Message, MalformedMessage>;

/**
 * Processes the messages found in damaged lines, and provides the calls and server requests to which they may belong.
 */
export interface DamagedLineHandler {
  readonly calls: Calls;
  readonly requests: ServerRequests;
  handleMessage(line: BorrowedLine, message: ServerMessage): void;
  /** Counts and logs a line that mcpmux drops. `start` is the line's beginning, without secrets. */
  dropLine(problem: string, start?: string): void;
  /** Reports a line that is text for people, not a message. */
  reportStrayLine(line: string): void;
  /** Returns at most `length` characters of `start`, without secrets or control characters. */
  printableStart(start: string, length: number, isWhole: boolean): string;
}

/** Matches the beginning of a line that is probably a batch. */
const BATCH_START = /^\s*\[[\s[]*\{/;
/** The number of leading bytes to search for the beginning of a batch. */
const BATCH_START_BYTES = 64;
const OPEN_BRACE = 0x7b;
/** The maximum number of bytes to decode from the start of a line for display. */
export const MAX_TEXT_BYTES = 16 * 1024;
/** The maximum number of characters to show from a line that is not a message. */
export const MAX_PRINTED_LENGTH = 1000;
/**
 * The maximum number of characters to show from a line whose middle was discarded. The limit is low, because mcpmux
 * cannot recognize a truncated secret.
 */
const MAX_PRINTED_PARTIAL_LENGTH = 200;
const OBJECT_OR_ARRAY = /^\s*[[{]/;
const VERSION_KEY = /"jsonrpc"\s*:/;

/**
 * Reads a server's lines that are not exactly one message. Splits batches into messages. Fails the call of a damaged
 * response if the call's id is certain.
 */
export class DamagedLines {
  constructor(
    private readonly handler: DamagedLineHandler,
    private readonly maxLineBytes: number,
  ) {}

  /** Reads a line that is not a message; `message.problem` is the reason. */
  readLine(line: BorrowedLine, message: MalformedMessage, isLast: boolean): void {
    // A server that exits may leave half a response as its last line. The end of the run explains the failure better.
    if (isLast) return this.dropNonMessage(line, message);
    if (!this.readBatch(line, message)) this.handleMalformed(line, message);
  }

  readOversizedLine({ head, tail, length }: OversizedLine, isLast: boolean): void {
    const problem = `a line of ${length} bytes is above the limit of ${this.maxLineBytes}`;
    if (isLast) return this.handler.dropLine(problem);
    const start = (): string =>
      this.handler.printableStart(head.toString('utf8'), MAX_PRINTED_PARTIAL_LENGTH, false);
    this.handleUnreadable(problem, hintsOf(head, tail), () => this.handler.dropLine(problem, start()));
  }

  /**
   * Reads a line as a batch, up to its first broken element. Accepts any number of responses, because each must match a
   * pending call, but drops requests and notifications above {@link MAX_BATCH_MESSAGES}. Returns false if the line is
   * not a batch.
   */
  private readBatch(line: BorrowedLine, { isJson }: MalformedMessage): boolean {
    if (!isJson && !BATCH_START.test(line.toString('latin1', 0, BATCH_START_BYTES))) return false;
    let elements = 0;
    let otherCount = 0;
    const handleElement = (element: Buffer): void => {
      const message = readMessage(element, SERVER_MESSAGE_PATHS);
      elements += 1;
      const isOther = isRequestOrNotification(message);
      if (isOther) otherCount += 1;
      if (isOther && otherCount > MAX_BATCH_MESSAGES)
        this.handler.dropLine(`a batch holds more than ${MAX_BATCH_MESSAGES} requests and notifications`);
      else if (message.kind === 'malformed') this.handleMalformed(element, message);
      else this.handler.handleMessage(element, message);
    };
    const end = visitBatch(line, handleElement);
    if (end === undefined || (elements === 0 && end === line.length)) return false;
    const restStart = line.indexOf(OPEN_BRACE, end);
    if (restStart !== -1) handleElement(line.subarray(restStart));
    else if (end < line.length) this.handler.dropLine('a batch breaks off');
    return true;
  }

  private handleMalformed(line: BorrowedLine, message: MalformedMessage): void {
    // A response is accepted even after colour codes or log text on the same line. Other messages there are dropped.
    const start = line.indexOf(OPEN_BRACE);
    const embeddedMessage = start < 1 ? undefined : readMessage(line.subarray(start), SERVER_MESSAGE_PATHS);
    if (embeddedMessage?.kind === 'response')
      this.handler.handleMessage(line.subarray(start), embeddedMessage);
    else this.handleUnreadable(message.problem, message.hints, () => this.dropNonMessage(line, message));
  }

  private dropNonMessage(line: BorrowedLine, message: MalformedMessage): void {
    const start = line.toString('utf8', 0, MAX_TEXT_BYTES);
    const printableText = this.handler.printableStart(
      start,
      MAX_PRINTED_LENGTH,
      line.length <= MAX_TEXT_BYTES,
    );
    this.handler.dropLine(message.problem, printableText);
    if (printableText !== '' && !isMeantAsMessage(start, message))
      this.handler.reportStrayLine(printableText);
  }

  /** @param drop drops the line; called unless the line is a response to a pending call */
  private handleUnreadable(problem: string, { id, hasId, kind }: EnvelopeHints, drop: () => void): void {
    const { calls, requests } = this.handler;
    const callId = kind === 'response' && id !== undefined ? issuedId(id) : undefined;
    if (callId !== undefined && calls.isPending(callId)) {
      this.handler.dropLine(problem);
      return calls.failRequest(callId, { kind: 'unreadable-response', problem });
    }
    drop();
    // A notification has no id and must not be answered.
    if (kind === 'calling' && hasId) requests.refuse(id, problem);
  }
}

function issuedId(id: RawId): number | undefined {
  return readIssuedId(Buffer.from(id), { start: 0, end: id.length });
}

/** True if a line is probably a broken message. It is not reported, because it may contain a client's data. */
function isMeantAsMessage(start: string, { isJson }: MalformedMessage): boolean {
  return OBJECT_OR_ARRAY.test(start) && (!isJson || VERSION_KEY.test(start));
}

/** True for a request, a notification, or an unreadable message that looks like one of them. */
function isRequestOrNotification(message: Message): boolean {
  return message.kind === 'malformed' ? message.hints.kind === 'calling' : message.kind !== 'response';
}
