import type { StreamPair } from '@mcpmux/wire';

/** Another running mcpmux instance on this machine, as it announces itself. */
export interface Instance {
  readonly id: string;
  /** Display name; not unique. */
  readonly name: string;
  readonly pid: number;
  /** Start time, ISO 8601. */
  readonly started: string;
  /** Working directory of the instance. */
  readonly root: string;
  /** The path of the instance's config file, if any. */
  readonly config?: string | undefined;
}

/** Finds other instances and connects to them. The host implements it, because a mux uses neither files nor sockets. */
export interface InstanceDirectory {
  /** Lists the other running instances, newest first. @param session the number of the requesting session */
  list(session: number): Promise<readonly Instance[]>;
  /** Opens an MCP connection to an instance. Rejects with a human-readable error if the instance has ended. */
  open(instance: Instance): Promise<StreamPair>;
}
