import type { StreamPair } from '@mcpmux/wire';

/** Another mcpmux instance running on this machine, as it announces itself. */
export interface Instance {
  readonly id: string;
  /** The display name, which need not be unique. */
  readonly name: string;
  readonly pid: number;
  /** The start time, in ISO 8601. */
  readonly started: string;
  /** The instance's working directory. */
  readonly root: string;
  /** The path of the instance's config file, if any. */
  readonly config?: string | undefined;
}

/** Finds other instances and connects to them. The host implements it, because a mux uses neither files nor sockets. */
export interface InstanceDirectory {
  /** Lists the other running instances, newest first. @param session the number of the requesting session */
  list(session: number): Promise<readonly Instance[]>;
  /** Opens an MCP connection to an instance. If the instance has ended, rejects with an error for people to read. */
  open(instance: Instance): Promise<StreamPair>;
}
