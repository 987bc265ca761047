import type { LoadedServer } from '@mcpmux/config';

import type { CommandContext } from '../terminal/command-context.js';
import type { RunPlace } from './newest-version.js';

/**
 * Returns a function that returns the place in which a server runs: its environment, and its folder or the home folder.
 * The working directory of the command is not used, because its files may change what npm and uv do.
 */
export function runPlaces(
  { environment, home }: Pick<CommandContext, 'environment' | 'home'>,
  servers: readonly LoadedServer[] = [],
): (name?: string) => RunPlace {
  return (name) => {
    const server = servers.find((one) => one.name === name);
    if (server?.status !== 'ready' || server.config.command === undefined)
      return { env: environment, cwd: home };
    const { env = {}, cwd = home, inheritEnv } = server.config;
    return { env: inheritEnv === 'none' ? env : { ...environment, ...env }, cwd };
  };
}
