/** Name and version of a peer (`Implementation` of the specification). */
export interface Implementation {
  readonly name: string;
  readonly version: string;
}

/** `ServerCapabilities` of the specification, unchecked. */
export type ServerCapabilities = Readonly<Record<string, unknown>>;

/** The server's description of itself when its run was opened. Only the members named here are checked. */
export interface ServerIdentity {
  readonly protocolVersion: string;
  readonly capabilities: ServerCapabilities;
  readonly instructions: string | undefined;
}

/** True if a server may have completions. The oldest revision has them and no capability for them. */
export function mayComplete(identity: ServerIdentity | undefined): boolean {
  return identity?.capabilities['completions'] !== undefined || identity?.protocolVersion === '2024-11-05';
}
