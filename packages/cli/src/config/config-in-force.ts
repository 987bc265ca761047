import type { LoadedConfig } from '@mcpmux/config';

/** The settings of a config that were applied. */
export type AppliedConfig = Pick<LoadedConfig, 'servers' | 'guards' | 'exposure'>;

/** A server of a mux, with the layer that it is in. */
export interface LayeredServer {
  readonly name: string;
  /** Absent for a server of all clients. */
  readonly layer?: string | undefined;
  /** The workspace of the layer, if any. */
  readonly workspace?: string | undefined;
  /** The session whose client alone has the server, if any. */
  readonly session?: number | undefined;
}

/** The config that a mux follows, as it was applied last. The file may be different by now, or be unusable. */
export interface ConfigInForce {
  /** Undefined before the first time. */
  readonly applied: AppliedConfig | undefined;
  /** True for a server that the config has started. An agent may have added another one of the same name. */
  has(server: LayeredServer): boolean;
}

/** The config of a mux without layers for its servers: as `applied` returns it. */
export function inForceForAll(applied: () => AppliedConfig | undefined): ConfigInForce {
  return {
    get applied() {
      return applied();
    },
    has: ({ name, layer }) =>
      layer === undefined &&
      applied()?.servers.some((server) => server.name === name && server.status !== 'disabled') === true,
  };
}
