import type { JsonObject } from '../json/json-object.js';
import type { Position } from './document-error.js';

/** Formats of clients' files. */
export type DocumentFormat = 'json' | 'toml' | 'yaml';

/** Reads and edits one format; whatever is not edited keeps its bytes, comments included. */
export interface DocumentEditor {
  /** @throws DocumentError */
  parse(text: string): JsonObject;
  /** Writes the value under the path; there may be one already. */
  set(text: string, path: readonly string[], value: unknown): string;
  remove(text: string, path: readonly string[]): string;
  /** Where the value under a path stands; undefined where that cannot be told. */
  positionOf(text: string, path: readonly string[]): Position | undefined;
  /** A document that holds nothing else. */
  render(value: JsonObject): string;
}
