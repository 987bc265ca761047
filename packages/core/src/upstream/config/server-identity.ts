import type { LegacyVersion } from './protocol-version.js';

/** Name and version of a peer (`Implementation` of the specification). */
export interface Implementation {
  readonly name: string;
  readonly version: string;
}

/** `ServerCapabilities` of the specification, unchecked. */
export type ServerCapabilities = Readonly<Record<string, unknown>>;

/** What a server said of itself when it was initialized. Unchecked beyond what is named here. */
export interface ServerIdentity {
  readonly protocolVersion: LegacyVersion;
  readonly capabilities: ServerCapabilities;
  readonly instructions: string | undefined;
}
