import type { Json, JsonObject } from '../surface/outcome.js';
import type { Wire } from '../surface/wire.js';

/** How a client answers a request of a server. */
export type Responder = (params: JsonObject) => JsonObject;

/** What a step may add to a request. */
export interface RequestExtras {
  readonly onprogress?: () => void;
  readonly signal?: AbortSignal;
}

/** A client of an official SDK, of one era. */
export interface EraPeer {
  /** Connects, and listens to changes to lists. */
  connect(wire: Wire): Promise<void>;
  request(method: string, params: JsonObject, extras?: RequestExtras): Promise<unknown>;
  subscribe(uri: string): Promise<void>;
  unsubscribe(uri: string): Promise<void>;
  /** The params of a raw request: with whatever the era wants in each request. */
  enveloped(params: JsonObject): JsonObject;
  close(): Promise<void>;
}

/** The requests of servers that clients answer. */
export const ASKED = ['elicitation/create', 'sampling/createMessage', 'roots/list'] as const;

/** What a client declares. */
export const CAPABILITIES = { sampling: {}, elicitation: { form: {}, url: {} }, roots: {} } as const;

/** A client's name. */
export const CLIENT_INFO = { name: 'cells', version: '1' } as const;

/** Answers with what the step has said. */
export type Answer = (method: string, params: Json | undefined) => JsonObject;
