import type { LoadedConfig } from '@mcpmux/config';
import type { LayeredServer } from '@mcpmux/dashboard';

/** The settings of a config that were applied. */
export type AppliedConfig = Pick<LoadedConfig, 'servers' | 'guards' | 'exposure'>;

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
