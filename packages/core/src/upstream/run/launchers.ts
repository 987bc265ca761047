import { isRemote, isStreams, type AnyServerConfig } from '../config/server-config.js';
import { launchProcess } from './launch-process.js';
import { launchStreams } from './launch-streams.js';
import type { Launcher } from './launching-run.js';
import type { RunComponents } from './run-components.js';

/** The launcher for a kind of configuration. */
export function launcherFor(config: AnyServerConfig, components: RunComponents): Launcher {
  if (isStreams(config)) return () => launchStreams(config, components);
  if (!isRemote(config)) return (run, traces) => launchProcess(config, components, run, traces);
  return async (run) => {
    // Nobody without servers at urls pays for HTTP.
    const { launchRemote } = await import('./launch-remote.js');
    return launchRemote(config, components, run);
  };
}
