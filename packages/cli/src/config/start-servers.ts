import { MuxError, type Logger, type Mux, type MuxErrorCode } from '@mcpmux/core';

import { chainVariable, isServedAbove } from './config-chain.js';
import { formatProblemForLog } from './config-problem.js';
import type { ConfigLocation } from './find-config.js';
import { loadConfig, type ConfigContext, type LoadedServer } from './load-config.js';

/** What starting a config works with. */
export interface StartComponents {
  readonly mux: Pick<Mux, 'addServer'>;
  readonly logger: Logger;
  readonly context: ConfigContext;
}

/**
 * Starts the servers of a config, all at once; one that fails is logged and stops none of the others.
 *
 * @returns false when nothing of the config can be used
 */
export function startServers(location: ConfigLocation, components: StartComponents): boolean {
  const { mux, logger, context } = components;
  const { file } = location;
  if (isServedAbove(file, context.environment)) {
    logger.log('warn', 'the config is served by a mcpmux above this one: its servers are not started again', {
      config: file,
    });
    return true;
  }
  const { isUsable, servers, problems } = loadConfig(location, context);
  for (const problem of problems) {
    logger.log(problem.severity === 'error' ? 'error' : 'warn', formatProblemForLog(problem));
  }
  if (!isUsable) return false;
  logger.log('info', 'config read', { config: file, servers: servers.length });
  const chain = chainVariable(file, context.environment);
  for (const server of servers) {
    if (server.status === 'ready') start(server, chain, mux, logger);
    else
      logger.log(server.status === 'disabled' ? 'debug' : 'warn', NOT_STARTED[server.status], {
        server: server.name,
      });
  }
  return true;
}

/** The mux was closed, or an agent removed the server, before it ran: nothing has failed. */
const GONE: ReadonlySet<MuxErrorCode> = new Set(['CLOSED', 'SERVER_REMOVED']);

const NOT_STARTED: Readonly<Record<Exclude<LoadedServer['status'], 'ready'>, string>> = {
  disabled: 'disabled in the config: not started',
  misconfigured: 'misconfigured: not started',
  unsupported: 'a server at a url, which mcpmux does not support yet: not started',
};

function start(
  { name, config }: Extract<LoadedServer, { readonly status: 'ready' }>,
  chain: Readonly<Record<string, string>>,
  mux: Pick<Mux, 'addServer'>,
  logger: Logger,
): void {
  mux.addServer(name, { ...config, env: { ...config.env, ...chain } }).catch((error: unknown) => {
    if (error instanceof MuxError && GONE.has(error.code)) return;
    // What the server wrote to stderr is in the log already.
    const [problem] = (error instanceof Error ? error.message : String(error)).split('\n', 1);
    logger.log('error', 'a server of the config did not start', { server: name, problem });
  });
}
