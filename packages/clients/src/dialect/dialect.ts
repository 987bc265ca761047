import type { JsonObject } from '../json/json-object.js';

/** The result of an import: the server's entry in mcpmux's format, or the reason why it cannot be converted. */
export type Imported =
  | { readonly kind: 'server'; readonly entry: JsonObject }
  | { readonly kind: 'unusable'; readonly reason: string };

/** The result of an export: the server's entry in the client's format, and notes on features that the client lacks. */
export interface Exported {
  readonly entry: JsonObject;
  /** Each note is one sentence. It quotes no values from the entry, because they may be secrets. */
  readonly notes: readonly string[];
}

/** Converts entries between mcpmux's format and a client's. `fromMux` reverses the conversion by `toMux`. */
export interface Dialect {
  toMux(entry: JsonObject): Imported;
  fromMux(entry: JsonObject): Exported;
}
