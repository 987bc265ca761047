import type { Json } from './connection.js';

/** True for a JSON object. */
export function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the objects in a list, or an empty list for any other value. */
export function objectsIn(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.filter(isJson) : [];
}

/** Returns a server's value if it is a string, or an empty string for any other value. */
export function textIn(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Returns a server's value if it is a finite number, or undefined for any other value. */
export function numberIn(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}
