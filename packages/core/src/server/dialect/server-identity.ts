/** Name and version of a peer (`Implementation` of the specification). */
export interface Implementation {
  readonly name: string;
  readonly version: string;
}

/** `ServerCapabilities` of the specification, unchecked. */
export type ServerCapabilities = Readonly<Record<string, unknown>>;

/** A server's description of itself from the opening of its run. Unchecked, except for these members. */
export interface ServerIdentity {
  readonly protocolVersion: string;
  readonly capabilities: ServerCapabilities;
  readonly instructions: string | undefined;
}

/** The revisions that have completions but no capability for them. */
const BEFORE_COMPLETIONS: ReadonlySet<string | undefined> = new Set(['2024-11-05', '2024-10-07']);

/** True if a server may support completions. */
export function maySupportCompletions(identity: ServerIdentity | undefined): boolean {
  return (
    identity?.capabilities['completions'] !== undefined || BEFORE_COMPLETIONS.has(identity?.protocolVersion)
  );
}
