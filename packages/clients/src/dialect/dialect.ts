import type { JsonObject } from '../json/json-object.js';

/** A server of a client's file, as mcpmux writes it; or why it cannot be one. */
export type Imported =
  | { readonly kind: 'server'; readonly entry: JsonObject }
  | { readonly kind: 'unusable'; readonly reason: string };

/** A server of mcpmux, as a client writes it, and what the client does not know. */
export interface Exported {
  readonly entry: JsonObject;
  /** One sentence each; no values. */
  readonly notes: readonly string[];
}

/** How a client writes a server. What `toMux` makes of an entry, `fromMux` gives back. */
export interface Dialect {
  toMux(entry: JsonObject): Imported;
  fromMux(entry: JsonObject): Exported;
}
