import type { StreamPair } from '@mcpmux/wire';

/** Another mux that runs on this machine, as it announces itself. */
export interface Instance {
  readonly id: string;
  /** For a reader; several may have the same. */
  readonly name: string;
  readonly pid: number;
  /** When it was started: ISO 8601. */
  readonly started: string;
  /** The folder that it works in. */
  readonly root: string;
  /** The config that it serves, if any. */
  readonly config?: string | undefined;
}

/** Finds and reaches other instances. The mux itself knows neither files nor sockets. */
export interface InstanceDirectory {
  /** Those that run now, without this one, the newest first. */
  list(): Promise<readonly Instance[]>;
  /** Opens a way to one, over which it speaks MCP. Rejects with an error for a reader when it has gone. */
  open(instance: Instance): Promise<StreamPair>;
}
