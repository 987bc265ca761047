import type { AppliedConfig } from '@mcpmux/config';
import type { LayeredServer } from '@mcpmux/dashboard';

/** The config as a mux last applied it. The file may have changed or become unusable since then. */
export interface ConfigInForce {
  /** Undefined until a config is applied for the first time. */
  readonly applied: AppliedConfig | undefined;
  /** True if the server comes from the config, not from an agent that added a server with the same name. */
  hasServer(server: LayeredServer): boolean;
}

/** Returns the config in force for a mux in which all clients share the config's servers. */
export function configInForce(applied: () => AppliedConfig | undefined): ConfigInForce {
  return {
    get applied() {
      return applied();
    },
    hasServer: ({ name, layer }) =>
      layer === undefined &&
      applied()?.servers.some((server) => server.name === name && server.status !== 'disabled') === true,
  };
}
