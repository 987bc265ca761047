import { messageOf } from '@mcpmux/core';
import { findProgram } from '@mcpmux/programs';
import type { LoadedServer } from '@mcpmux/config';

import type { CommandContext } from '../terminal/command-context.js';

/** Returns why a server's program cannot be started. Undefined if it can, or if the server is remote or disabled. */
export async function programProblem(
  server: LoadedServer | undefined,
  { environment }: Pick<CommandContext, 'environment'>,
): Promise<string | undefined> {
  if (server?.status !== 'ready' || server.config.command === undefined) return undefined;
  const { command, args = [], cwd, env = {}, inheritEnv } = server.config;
  try {
    await findProgram({ command, args, cwd, env: inheritEnv === 'none' ? env : { ...environment, ...env } });
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}
