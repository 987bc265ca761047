import { type BorrowedLine, MAX_BATCH_MESSAGES, type Message, readMessage, visitBatch } from '@mcpmux/wire';
import { SERVER_PATHS } from './server-paths.js';

/** The begin of a line that was meant as a batch. */
const BATCH_START = /^\s*\[[\s[]*\{/;
/** Enough of a line to see whether it begins as a batch does, in bytes. */
const START_BYTES = 64;
const OPEN_BRACE = 0x7b;

/** The receiver of the elements of a batch. */
export interface BatchReader {
  take(line: BorrowedLine, message: Message): void;
  /** There are too many requests and notifications: this one is not taken. */
  drop(problem: string): void;
}

/**
 * Reads a line that is no message as a batch, up to its first broken element, which is taken as a malformed message.
 * Responses are taken whatever their number, which their requests bound; requests and notifications up to
 * {@link MAX_BATCH_MESSAGES}.
 *
 * @param isJson the whole line is JSON, or beyond a limit
 * @returns false when it is no batch
 */
export function readServerBatch(line: BorrowedLine, isJson: boolean, reader: BatchReader): boolean {
  if (!isJson && !BATCH_START.test(line.toString('latin1', 0, START_BYTES))) return false;
  let elements = 0;
  let others = 0;
  const take = (element: Buffer): void => {
    const message = readMessage(element, SERVER_PATHS);
    elements += 1;
    const isOther = isCalling(message);
    if (isOther) others += 1;
    if (!isOther || others <= MAX_BATCH_MESSAGES) return reader.take(element, message);
    reader.drop(`a batch holds more than ${MAX_BATCH_MESSAGES} requests and notifications`);
  };
  const end = visitBatch(line, take);
  if (end === undefined || (elements === 0 && end === line.length)) return false;
  const rest = line.indexOf(OPEN_BRACE, end);
  if (rest !== -1) take(line.subarray(rest));
  else if (end < line.length) reader.drop('a batch breaks off');
  return true;
}

/** Whether it is a request or a notification. One that cannot be read counts as well: it is answered, too. */
function isCalling(message: Message): boolean {
  if (message.kind === 'malformed') return message.hints.kind === 'calling';
  return message.kind !== 'response';
}
