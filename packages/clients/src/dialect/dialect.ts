import type { JsonObject } from '../json/json-object.js';

/** A server from a client's file in mcpmux's format, or the reason why the entry cannot be converted. */
export type Imported =
  | { readonly kind: 'server'; readonly entry: JsonObject }
  | { readonly kind: 'unusable'; readonly reason: string };

/** An mcpmux server in a client's format, with notes on the features that the client does not support. */
export interface Exported {
  readonly entry: JsonObject;
  /** Each note is one sentence and contains no values. */
  readonly notes: readonly string[];
}

/** The format in which a client writes a server. `fromMux` restores the entry that `toMux` converted. */
export interface Dialect {
  toMux(entry: JsonObject): Imported;
  fromMux(entry: JsonObject): Exported;
}
