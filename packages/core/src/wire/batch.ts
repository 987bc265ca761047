import { JsonReader } from './json-reader.js';
import { JsonSyntaxError } from './json-syntax-error.js';

const OPEN_BRACKET = 0x5b;

/** Most messages taken from one batch; a longer one is no message at all. */
export const MAX_BATCH_MESSAGES = 100;

/**
 * The elements of a JSON-RPC batch, each with its bytes as they came, in their order. Whether they are messages is
 * for their reader to find out.
 *
 * @returns undefined when the line is no JSON array, is empty, is beyond a limit or holds more than
 *   {@link MAX_BATCH_MESSAGES}
 */
export function batchElements(line: Buffer): readonly Buffer[] | undefined {
  const reader = new JsonReader(line);
  const start = reader.afterSpace(0);
  if (line[start] !== OPEN_BRACKET) return undefined;
  const elements: Buffer[] = [];
  try {
    const end = reader.array(start, 0, (elementStart, depth) => {
      const elementEnd = reader.value(elementStart, depth);
      if (elements.length <= MAX_BATCH_MESSAGES) elements.push(line.subarray(elementStart, elementEnd));
      return elementEnd;
    });
    reader.expectEnd(end);
  } catch (error) {
    if (error instanceof JsonSyntaxError) return undefined;
    throw error;
  }
  return elements.length === 0 || elements.length > MAX_BATCH_MESSAGES ? undefined : elements;
}
