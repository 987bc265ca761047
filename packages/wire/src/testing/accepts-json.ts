import { JsonReader } from '../json/json-reader.js';
import { JsonSyntaxError } from '../json/json-syntax-error.js';

/** True when `bytes` are one JSON text. */
export function accepts(bytes: Buffer): boolean {
  const reader = new JsonReader(bytes);
  try {
    reader.expectEnd(reader.value(reader.afterSpace(0)));
    return true;
  } catch (error) {
    if (error instanceof JsonSyntaxError) return false;
    throw error;
  }
}

/** The same by walking: each object and array is read by its members, as for a message, none is skipped. */
export function acceptsWalking(bytes: Buffer): boolean {
  const reader = new JsonReader(bytes);
  const walk = (at: number, depth: number): number => {
    if (bytes[at] === 0x7b)
      return reader.object(at, depth, (_start, _end, value, inside) => walk(value, inside));
    if (bytes[at] === 0x5b) return reader.array(at, depth, walk);
    return reader.value(at, depth);
  };
  try {
    reader.expectEnd(walk(reader.afterSpace(0), 0));
    return true;
  } catch (error) {
    if (error instanceof JsonSyntaxError) return false;
    throw error;
  }
}
