import type { LoadedServer } from '@mcpmux/config';

import type { CommandContext } from '../terminal/command-context.js';
import type { SpawnOptions } from './newest-version.js';

/**
 * Returns a function that finds the environment and the working directory of a server. The default directory is the
 * home folder and not the current folder, whose files may affect npm and uv.
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
