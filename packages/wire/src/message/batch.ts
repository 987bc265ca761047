import { JsonReader } from '../json/json-reader.js';
import { JsonSyntaxError } from '../json/json-syntax-error.js';

const OPEN_BRACKET = 0x5b;

/** Most messages taken from one batch of a client; and of a server, apart from the responses. */
export const MAX_BATCH_MESSAGES = 100;

/**
 * Visits the elements of a JSON-RPC batch, each with its bytes as they came, in their order. Whether they are messages
 * is for their reader to find out.
 *
 * @returns where reading came to its end: the length of the line, or the end of the last element before what is damaged
 *   or beyond a limit; undefined when the line is no array
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

/** True if a line that is JSON is an array. */
export function isArray(line: Buffer): boolean {
  return line[new JsonReader(line).afterSpace(0)] === OPEN_BRACKET;
}

/**
 * The elements of a JSON-RPC batch.
 *
 * @returns undefined when the line is no JSON array, is empty, is beyond a limit or holds more than
 *   {@link MAX_BATCH_MESSAGES}
 */
export function batchElements(line: Buffer): readonly Buffer[] | undefined {
  const elements: Buffer[] = [];
  const end = visitBatch(line, (element) => {
    if (elements.length <= MAX_BATCH_MESSAGES) elements.push(element);
  });
  const isWhole = end === line.length && elements.length > 0;
  return isWhole && elements.length <= MAX_BATCH_MESSAGES ? elements : undefined;
}
