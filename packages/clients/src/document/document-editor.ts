import type { JsonObject } from '../json/json-object.js';
import type { Position } from './document-error.js';

/** Formats of client files. */
export type DocumentFormat = 'json' | 'toml' | 'yaml';

/** Reads and edits documents of one format. Unedited parts, including comments, keep their bytes. */
export interface DocumentEditor {
  /** @throws DocumentError */
  parse(text: string): JsonObject;
  /** Sets the value at the path, replacing any existing value. */
  set(text: string, path: readonly string[], value: unknown): string;
  remove(text: string, path: readonly string[]): string;
  /** Returns the position of the value at a path, or undefined if the position is unknown. */
  positionOf(text: string, path: readonly string[]): Position | undefined;
  /** Returns a document that contains only this value. */
  render(value: JsonObject): string;
}
