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

/** What a config is kept with. */
export interface ReconcilerComponents {
  readonly mux: Pick<Mux, 'addServer' | 'removeServer'>;
  readonly logger: Logger;
  readonly context: ConfigContext;
  /** Which servers are started. */
  readonly selection?: Selection;
  /** Told of what stands between requests and servers, each time the config is read. */
  readonly guards?: { apply(settings: GuardSettings | undefined): void };
  /** What servers listed when they ran last. */
  readonly memory?: Pick<RememberedCatalog, 'recall'>;
  /** Is told of a server that mcpmux is of no use without and that does not start. */
  readonly onRequiredFailed?: (server: string) => void;
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

/** A server as it was started. */
type Started = Extract<LoadedServer, { readonly status: 'ready' }>;

/** Keeps the servers of a mux as its config says; those that agents add are left alone. */
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

  /** Reads the config and starts, stops and restarts what it takes. A config that cannot be used changes nothing. */
  apply(): ConfigChange {
    const { logger, context } = this.components;
    const { file } = this.location;
    if (isServedAbove(file, context.environment)) {
      const message = 'the config is served by a mcpmux above this one: its servers are not started again';
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

  /** The config has it now, and it was started as it stands there. */
  adopt(name: string): void {
    const { context, selection = {} } = this.components;
    const { servers } = wantedServers(loadConfig(this.location, context), selection);
    const adopted = this.startable(servers.filter((server) => server.name === name));
    this.started = new Map([...this.started, ...adopted]);
  }

  /** The config does not have it any more, and it was stopped. */
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
      // What the server wrote to stderr is in the log already.
      const [problem] = (error instanceof Error ? error.message : String(error)).split('\n', 1);
      logger.log('error', 'a server of the config did not start', { server: name, problem });
      if (isRequired) this.components.onRequiredFailed?.(name);
    });
  }

  /** The name is free at once; the next one of that name waits until the old one is gone. */
  private stop(name: string): void {
    // An agent may have removed it already.
    this.components.mux.removeServer(name).catch(() => undefined);
  }
}

function isOther(before: Started | undefined, now: Started): boolean {
  return before !== undefined && !isDeepStrictEqual(before, now);
}
