import type { LoadedServer } from '@mcpmux/config';

import type { CommandContext } from '../terminal/command-context.js';
import type { SpawnOptions } from './newest-version.js';

/**
 * Returns a function that finds a server's environment and working directory. The default directory is the home folder,
 * because files in the current folder, such as `.npmrc`, could affect npm and uv.
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
