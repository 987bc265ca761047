import type { Message } from '@mcpmux/wire';

/** HTTP headers by lower-case name. */
export type Headers = Readonly<Record<string, string>>;
type Request = Extract<Message, { kind: 'request' }>;

/** Distinguishes requests that need no session from all others. */
export interface RequestHeaders {
  /** The members of `params` that it reads. */
  readonly paths: readonly (string | readonly string[])[];
  /** Returns the headers of a request that describes its client, or undefined for any other request. */
  of(line: Buffer, request: Request): Headers | undefined;
  /**
   * Called when the server requires other headers. Resolves when the required headers are known, or when no more can be
   * learned.
   */
  renew(line: Buffer): Promise<void>;
}

/** A channel whose messages are HTTP requests. */
export interface HttpRequests {
  /** Makes requests that describe their client leave with headers and without a session from now on. */
  headersBy(headers: RequestHeaders): void;
  /** True if requests that do not describe their client belong to a session of the server. */
  readonly hasSession: boolean;
}
