import { isObject, type JsonObject } from '@mcpmux/clients';
import { parsedJson } from '@mcpmux/core';

/** Parses a JSON object. Returns undefined if the text is not a JSON object. */
export function parseJsonObject(text: string): JsonObject | undefined {
  const value = parsedJson(text);
  return isObject(value) ? value : undefined;
}
