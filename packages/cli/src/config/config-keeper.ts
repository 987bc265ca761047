import { isDeepStrictEqual } from 'node:util';

import { MuxError, type Logger, type Mux, type MuxErrorCode, type ServerConfig } from '@mcpmux/core';

import { chainVariable, isServedAbove, withVariables } from './config-chain.js';
import { formatProblemForLog } from './config-problem.js';
import type { ConfigLocation } from './find-config.js';
import { loadConfig, type ConfigContext, type LoadedConfig, type LoadedServer } from './load-config.js';

/** What a config is kept with. */
export interface KeeperComponents {
  readonly mux: Pick<Mux, 'addServer' | 'removeServer'>;
  readonly logger: Logger;
  readonly context: ConfigContext;
  /** Names of the servers that are started; all when absent. */
  readonly only?: readonly string[] | undefined;
}

/** What reading a config again has changed. */
export interface ConfigChange {
  /** False when nothing of the config can be used: then all is as it was. */
  readonly isUsable: boolean;
  readonly added: readonly string[];
  readonly removed: readonly string[];
  /** Stopped, and started as they are now. */
  readonly changed: readonly string[];
  /** One line each, with their places. */
  readonly problems: readonly string[];
}

/** The mux was closed, or an agent removed the server, before it ran: nothing has failed. */
const GONE: ReadonlySet<MuxErrorCode> = new Set(['CLOSED', 'SERVER_REMOVED']);

const NOT_STARTED: Readonly<Record<Exclude<LoadedServer['status'], 'ready'>, string>> = {
  disabled: 'disabled in the config: not started',
  misconfigured: 'misconfigured: not started',
};

/** Keeps the servers of a mux as its config says; those that agents add are left alone. */
export class ConfigKeeper {
  private started: ReadonlyMap<string, ServerConfig> = new Map();

  constructor(
    private readonly location: ConfigLocation,
    private readonly components: KeeperComponents,
  ) {}

  /** Reads the config and starts, stops and restarts what it takes. A config that cannot be used changes nothing. */
  apply(): ConfigChange {
    const { logger, context } = this.components;
    const { file } = this.location;
    if (isServedAbove(file, context.environment)) {
      logger.log(
        'warn',
        'the config is served by a mcpmux above this one: its servers are not started again',
        {
          config: file,
        },
      );
      return { isUsable: true, added: [], removed: [], changed: [], problems: [] };
    }
    const loaded = loadConfig(this.location, context);
    for (const problem of loaded.problems) {
      logger.log(problem.severity === 'error' ? 'error' : 'warn', formatProblemForLog(problem));
    }
    const problems = loaded.problems.map(formatProblemForLog);
    if (!loaded.isUsable) return { isUsable: false, added: [], removed: [], changed: [], problems };
    logger.log('info', 'config read', { config: file, servers: loaded.servers.length });
    return { isUsable: true, ...this.change(loaded), problems };
  }

  private change({ servers, file }: LoadedConfig): Pick<ConfigChange, 'added' | 'removed' | 'changed'> {
    const { context, only } = this.components;
    const wanted = servers.filter(({ name }) => only === undefined || only.includes(name));
    this.tellOthers(wanted);
    const chain = chainVariable(file, context.environment);
    const next = new Map(
      wanted.flatMap((server) =>
        server.status === 'ready' ? [[server.name, withVariables(server.config, chain)] as const] : [],
      ),
    );
    const before = this.started;
    this.started = next;
    const removed = [...before.keys()].filter((name) => !next.has(name));
    const added = [...next.keys()].filter((name) => !before.has(name));
    const changed = [...next]
      .filter(([name, config]) => isOther(before.get(name), config))
      .map(([name]) => name);
    for (const name of [...removed, ...changed]) this.stop(name);
    for (const [name, config] of next)
      if (added.includes(name) || changed.includes(name)) this.start(name, config);
    return { added, removed, changed };
  }

  private tellOthers(servers: readonly LoadedServer[]): void {
    for (const { name, status } of servers) {
      if (status === 'ready') continue;
      this.components.logger.log(status === 'disabled' ? 'debug' : 'warn', NOT_STARTED[status], {
        server: name,
      });
    }
  }

  private start(name: string, config: ServerConfig): void {
    const { mux, logger } = this.components;
    mux.addServer(name, config, { keepsFailed: true }).catch((error: unknown) => {
      if (error instanceof MuxError && GONE.has(error.code)) return;
      // What the server wrote to stderr is in the log already.
      const [problem] = (error instanceof Error ? error.message : String(error)).split('\n', 1);
      logger.log('error', 'a server of the config did not start', { server: name, problem });
    });
  }

  /** The name is free at once; the next one of that name waits until the old one is gone. */
  private stop(name: string): void {
    // An agent may have removed it already.
    this.components.mux.removeServer(name).catch(() => undefined);
  }
}

function isOther(before: ServerConfig | undefined, now: ServerConfig): boolean {
  return before !== undefined && !isDeepStrictEqual(before, now);
}
