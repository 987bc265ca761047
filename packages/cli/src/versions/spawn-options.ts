import type { LoadedServer } from '@mcpmux/config';

import type { CommandContext } from '../terminal/command-context.js';
import type { SpawnOptions } from './newest-version.js';

/**
 * Returns a function for the environment of a server and its working directory, by default the home folder. Never uses
 * the working directory of the command, because its files may affect npm and uv.
 */
export function spawnOptionsFinder(
  { environment, home }: Pick<CommandContext, 'environment' | 'home'>,
  servers: readonly LoadedServer[] = [],
): (name?: string) => SpawnOptions {
  return (name) => {
    const server = servers.find((one) => one.name === name);
    if (server?.status !== 'ready' || server.config.command === undefined)
      return { env: environment, cwd: home };
    const { env = {}, cwd = home, inheritEnv } = server.config;
    return { env: inheritEnv === 'none' ? env : { ...environment, ...env }, cwd };
  };
}
