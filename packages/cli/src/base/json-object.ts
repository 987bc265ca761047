import { isObject, type JsonObject } from '@mcpmux/clients';

/** The object that a text holds as JSON; undefined for any other text. */
export function jsonObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
