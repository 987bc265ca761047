import type { JsonObject } from '../json/json-object.js';
import type { Position } from './document-error.js';

/** The format of a client's config file. */
export type DocumentFormat = 'json' | 'toml' | 'yaml';

/** Reads and edits documents of one format. Leaves unedited parts, including comments, unchanged byte for byte. */
export interface DocumentEditor {
  /** @throws DocumentError if the text is invalid or does not contain an object */
  parse(text: string): JsonObject;
  /** Sets the value at the path, replacing any existing value. */
  set(text: string, path: readonly string[], value: unknown): string;
  remove(text: string, path: readonly string[]): string;
  /** Returns the position of the value at a path, or undefined if the position is unknown. */
  positionOf(text: string, path: readonly string[]): Position | undefined;
  /** Returns a document that contains only this value. */
  render(value: JsonObject): string;
}
