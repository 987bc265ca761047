import { isDeepStrictEqual } from 'node:util';

import { MuxError, type Logger, type Mux, type MuxErrorCode, type ServerConfig } from '@mcpmux/core';

import { chainVariable, isServedAbove, withVariables } from './config-chain.js';
import { formatProblemForLog } from './config-problem.js';
import type { ConfigLocation } from './find-config.js';
import type { GuardSettings } from './guard-settings.js';
import type { RememberedCatalog } from './remembered-catalog.js';
import { toolView } from './tool-view.js';
import { wantedServers, type Selection } from './wanted-servers.js';
import { loadConfig, type ConfigContext, type LoadedServer } from './load-config.js';

/** The dependencies of a {@link ConfigReconciler}. */
export interface ReconcilerComponents {
  readonly mux: Pick<Mux, 'addServer' | 'removeServer'>;
  readonly logger: Logger;
  readonly context: ConfigContext;
  /** Which servers are started. */
  readonly selection?: Selection;
  /** Receives the guards each time the config is read. */
  readonly guards?: { apply(settings: GuardSettings | undefined): void };
  /** The lists of the last runs of servers. */
  readonly memory?: Pick<RememberedCatalog, 'recall'>;
  /** Called with a required server that does not start. */
  readonly onRequiredFailed?: (server: string) => void;
}

/** The changes after a config was read again. */
export interface ConfigChange {
  /** False when the config cannot be used. Nothing has changed then. */
  readonly isUsable: boolean;
  readonly added: readonly string[];
  readonly removed: readonly string[];
  /** Servers that were restarted with another configuration. */
  readonly changed: readonly string[];
  /** One line each, with their positions. */
  readonly problems: readonly string[];
}

/** The mux was closed, or an agent removed the server, before it ran: this is no failure. */
const GONE: ReadonlySet<MuxErrorCode> = new Set(['CLOSED', 'SERVER_REMOVED']);

const NOT_STARTED: Readonly<Record<Exclude<LoadedServer['status'], 'ready'>, string>> = {
  disabled: 'disabled in the config: not started',
  misconfigured: 'misconfigured: not started',
};

/** The configuration that a server was started with. */
type Started = Extract<LoadedServer, { readonly status: 'ready' }>;

/** Keeps the servers of a mux equal to its config. Leaves servers of agents alone. */
export class ConfigReconciler {
  private started: ReadonlyMap<string, Started> = new Map();

  constructor(
    private readonly location: ConfigLocation,
    private readonly components: ReconcilerComponents,
  ) {}

  /** The servers of the config that were started, by name. */
  get servers(): ReadonlyMap<string, ServerConfig> {
    return new Map([...this.started].map(([name, { config }]) => [name, config]));
  }

  /** Reads the config, and starts, stops and restarts servers until they agree. An unusable config changes nothing. */
  apply(): ConfigChange {
    const { logger, context } = this.components;
    const { file } = this.location;
    if (isServedAbove(file, context.environment)) {
      const message = 'a mcpmux above this one serves the config: its servers are not started again';
      logger.log('warn', message, { config: file });
      return { isUsable: true, added: [], removed: [], changed: [], problems: [] };
    }
    const loaded = loadConfig(this.location, context);
    for (const problem of loaded.problems) {
      logger.log(problem.severity === 'error' ? 'error' : 'warn', formatProblemForLog(problem));
    }
    const problems = loaded.problems.map(formatProblemForLog);
    if (!loaded.isUsable) return { isUsable: false, added: [], removed: [], changed: [], problems };
    const { servers, refusal, warnings } = wantedServers(loaded, this.components.selection ?? {});
    for (const warning of warnings) logger.log('warn', warning, { config: file });
    if (refusal !== undefined) {
      logger.log('error', refusal, { config: file });
      return { isUsable: false, added: [], removed: [], changed: [], problems: [...problems, refusal] };
    }
    this.components.guards?.apply(loaded.guards);
    logger.log('info', 'config read', { config: file, servers: loaded.servers.length });
    return { isUsable: true, ...this.change(servers), problems: [...problems, ...warnings] };
  }

  /** Records a server that the config now has, and that was started already. */
  adopt(name: string): void {
    const { context, selection = {} } = this.components;
    const { servers } = wantedServers(loadConfig(this.location, context), selection);
    const adopted = this.startable(servers.filter((server) => server.name === name));
    this.started = new Map([...this.started, ...adopted]);
  }

  /** Forgets a server that the config no longer has, and that was stopped. */
  disown(name: string): void {
    this.started = new Map([...this.started].filter(([known]) => known !== name));
  }

  /** The servers that can be started, by name. */
  private startable(servers: readonly LoadedServer[]): ReadonlyMap<string, Started> {
    const chain = chainVariable(this.location.file, this.components.context.environment);
    const ready = servers.filter((server) => server.status === 'ready');
    return new Map(
      ready.map((server) => [server.name, { ...server, config: withVariables(server.config, chain) }]),
    );
  }

  private change(wanted: readonly LoadedServer[]): Pick<ConfigChange, 'added' | 'removed' | 'changed'> {
    this.tellOthers(wanted);
    const next = this.startable(wanted);
    const before = this.started;
    this.started = next;
    const removed = [...before.keys()].filter((name) => !next.has(name));
    const added = [...next.keys()].filter((name) => !before.has(name));
    const changed = [...next]
      .filter(([name, server]) => isOther(before.get(name), server))
      .map(([name]) => name);
    for (const name of [...removed, ...changed]) this.stop(name);
    for (const [name, server] of next)
      if (added.includes(name) || changed.includes(name)) this.start(name, server);
    return { added, removed, changed };
  }

  private tellOthers(servers: readonly LoadedServer[]): void {
    for (const { name, status, isRequired } of servers) {
      if (status === 'ready') continue;
      if (isRequired && status !== 'disabled') this.components.onRequiredFailed?.(name);
      this.components.logger.log(status === 'disabled' ? 'debug' : 'warn', NOT_STARTED[status], {
        server: name,
      });
    }
  }

  private start(name: string, { config, tools, isRequired }: Started): void {
    const { mux, logger } = this.components;
    const remembered = this.components.memory?.recall(name, config);
    const options = {
      keepsFailed: true,
      ...(tools !== undefined && { tools: toolView(tools) }),
      ...(remembered !== undefined && { remembered }),
    };
    mux.addServer(name, config, options).catch((error: unknown) => {
      if (error instanceof MuxError && GONE.has(error.code)) return;
      // The first line only: the log already has the stderr of the server.
      const [problem] = (error instanceof Error ? error.message : String(error)).split('\n', 1);
      logger.log('error', 'a server of the config did not start', { server: name, problem });
      if (isRequired) this.components.onRequiredFailed?.(name);
    });
  }

  /** The name is free at once. The next server of that name starts after the old one has ended. */
  private stop(name: string): void {
    // An agent may have removed it already.
    this.components.mux.removeServer(name).catch(() => undefined);
  }
}

function isOther(before: Started | undefined, now: Started): boolean {
  return before !== undefined && !isDeepStrictEqual(before, now);
}
