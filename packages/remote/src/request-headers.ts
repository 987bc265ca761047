import type { Message } from '@mcpmux/wire';

/** HTTP headers by lower-case name. */
export type Headers = Readonly<Record<string, string>>;
type Request = Extract<Message, { kind: 'request' }>;

/** Creates headers for requests that need no session. */
export interface RequestHeaders {
  /** The members of `params` that determine the headers. */
  readonly paths: readonly (string | readonly string[])[];
  /** Returns the headers for a request that describes its client, or undefined for any other request. */
  of(line: Buffer, request: Request): Headers | undefined;
  /** Called when the server rejects a request's headers. Resolves when the headers have been updated, or cannot be. */
  renew(line: Buffer): Promise<void>;
}

/** A channel that sends messages as HTTP requests. */
export interface HttpRequests {
  /** From now on, sends requests that describe their client with these headers and outside the session. */
  headersBy(headers: RequestHeaders): void;
  /** True if the server has a session for requests that do not describe their client. */
  readonly hasSession: boolean;
}
