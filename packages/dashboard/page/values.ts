import type { Json } from './connection.js';

/** True for a JSON object. */
export function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The objects in a list; none where there is no list. */
export function objectsIn(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.filter(isJson) : [];
}

/** A text that a server has written; empty for anything else. */
export function textIn(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** A number that a server has written; undefined for anything else. */
export function numberIn(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}
