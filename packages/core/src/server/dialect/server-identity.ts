/** The name and version of a peer (`Implementation` in the specification). */
export interface Implementation {
  readonly name: string;
  readonly version: string;
}

/** `ServerCapabilities` in the specification, unchecked. */
export type ServerCapabilities = Readonly<Record<string, unknown>>;

/** How a server described itself when its run opened. Only these members have been checked. */
export interface ServerIdentity {
  readonly protocolVersion: string;
  readonly capabilities: ServerCapabilities;
  readonly instructions: string | undefined;
}

/** The revisions in which a server could support completions without declaring a capability for them. */
const BEFORE_COMPLETIONS: ReadonlySet<string | undefined> = new Set(['2024-11-05', '2024-10-07']);

/** True if a server may support completions. */
export function maySupportCompletions(identity: ServerIdentity | undefined): boolean {
  return (
    identity?.capabilities['completions'] !== undefined || BEFORE_COMPLETIONS.has(identity?.protocolVersion)
  );
}
