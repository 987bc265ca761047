import { JsonReader } from '../json/json-reader.js';
import { JsonSyntaxError } from '../json/json-syntax-error.js';

const OPEN_BRACKET = 0x5b;

/** The maximum number of messages in a client's batch. In a server's batch, responses do not count. */
export const MAX_BATCH_MESSAGES = 100;

/**
 * Visits the elements of a JSON-RPC batch in order, each with its original bytes. Does not check whether they are
 * messages.
 *
 * @returns the length of the line; or, after a syntax error or at a limit, the end of the last complete element; or
 * undefined if the line is not an array
 */
export function visitBatch(line: Buffer, visit: (element: Buffer) => void): number | undefined {
  const reader = new JsonReader(line);
  const start = reader.afterSpace(0);
  if (line[start] !== OPEN_BRACKET) return undefined;
  let readTo = start;
  try {
    const end = reader.array(start, 0, (elementStart, depth) => {
      readTo = reader.value(elementStart, depth);
      visit(line.subarray(elementStart, readTo));
      return readTo;
    });
    reader.expectEnd(end);
    return line.length;
  } catch (error) {
    if (error instanceof JsonSyntaxError) return readTo;
    throw error;
  }
}

/** True if a line, which must be valid JSON, is an array. */
export function isArray(line: Buffer): boolean {
  return line[new JsonReader(line).afterSpace(0)] === OPEN_BRACKET;
}

/**
 * Returns the elements of a JSON-RPC batch.
 *
 * @returns undefined if the line is not a JSON array, is empty, exceeds a limit or has more than
 * {@link MAX_BATCH_MESSAGES} elements
 */
export function batchElements(line: Buffer): readonly Buffer[] | undefined {
  const elements: Buffer[] = [];
  const end = visitBatch(line, (element) => {
    if (elements.length <= MAX_BATCH_MESSAGES) elements.push(element);
  });
  const isComplete = end === line.length && elements.length > 0;
  return isComplete && elements.length <= MAX_BATCH_MESSAGES ? elements : undefined;
}
