import { MAX_BATCH_MESSAGES, type Message, readMessage, visitBatch } from '@mcpmux/wire';
import { mayBeBatch } from './damaged-response.js';
import { SERVER_PATHS } from './server-paths.js';

/** Enough of a line to see whether it begins as a batch does, in bytes. */
const START_BYTES = 64;

/** Who a batch of a server is read for. */
export interface BatchReader {
  take(line: Buffer, message: Message): void;
  /** There are too many requests and notifications: this one is not taken. */
  drop(problem: string): void;
  /** The rest of the batch cannot be read. */
  lost(rest: string): void;
}

/**
 * Reads a line that is no message as a batch, as far as that goes. Responses are taken whatever their number, which
 * their requests bound; requests and notifications up to {@link MAX_BATCH_MESSAGES}.
 *
 * @param isJson the whole line is JSON, or nobody knows
 * @returns false when it is no batch
 */
export function readServerBatch(line: Buffer, isJson: boolean, reader: BatchReader): boolean {
  if (!isJson && !mayBeBatch(line.toString('latin1', 0, START_BYTES))) return false;
  let elements = 0;
  let others = 0;
  const end = visitBatch(line, (element) => {
    const message = readMessage(element, SERVER_PATHS);
    elements += 1;
    const isOther = isCalling(message);
    if (isOther) others += 1;
    if (!isOther || others <= MAX_BATCH_MESSAGES) return reader.take(element, message);
    reader.drop(`a batch holds more than ${MAX_BATCH_MESSAGES} requests and notifications`);
  });
  if (end === undefined || (elements === 0 && end === line.length)) return false;
  if (end < line.length) reader.lost(line.toString('utf8', end));
  return true;
}

/** Whether it is a request or a notification. One that cannot be read counts as well: it is answered, too. */
function isCalling(message: Message): boolean {
  if (message.kind === 'malformed') return message.own.hasMethod;
  return message.kind !== 'response';
}
