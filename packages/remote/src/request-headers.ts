import type { Message } from '@mcpmux/wire';

/** Of HTTP, by lower-case name. */
export type Headers = Readonly<Record<string, string>>;
type Request = Extract<Message, { kind: 'request' }>;

/** Tells requests that need no session from all others. */
export interface RequestHeaders {
  /** The members of `params` that it looks at. */
  readonly paths: readonly (string | readonly string[])[];
  /** The headers of a request that describes its client; undefined for any other request. */
  of(line: Buffer, request: Request): Headers | undefined;
  /** The server wants other headers. Resolves when more is known of what it wants, or when nothing more is to be known. */
  renew(line: Buffer): Promise<void>;
}

/** A channel whose messages are requests of HTTP. */
export interface HttpRequests {
  /** From now on requests that describe their client leave with headers, and without a session. */
  headersBy(headers: RequestHeaders): void;
  /** True once requests that do not describe their client belong to a session of the server. */
  readonly hasSession: boolean;
}
