import { isObject, type JsonObject } from '@mcpmux/clients';

/** Parses a JSON object. Returns undefined if the text is not a JSON object. */
export function jsonObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
