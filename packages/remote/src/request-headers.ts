import type { Message } from '@mcpmux/wire';

/** HTTP headers by lower-case name. */
export type Headers = Readonly<Record<string, string>>;
type Request = Extract<Message, { kind: 'request' }>;

/** Creates the headers of requests that need no session. */
export interface RequestHeaders {
  /** The members of `params` from which headers are created. */
  readonly paths: readonly (string | readonly string[])[];
  /** Returns the headers of a request that describes its client, or undefined for any other request. */
  of(line: Buffer, request: Request): Headers | undefined;
  /** Called when the server requires other headers. Resolves when the headers are updated or cannot be updated. */
  renew(line: Buffer): Promise<void>;
}

/** A channel whose messages are HTTP requests. */
export interface HttpRequests {
  /** Makes all later requests that describe their client use these headers and no session. */
  headersBy(headers: RequestHeaders): void;
  /** True if requests that do not describe their client belong to a session of the server. */
  readonly hasSession: boolean;
}
