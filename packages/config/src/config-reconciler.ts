import {
  MuxError,
  type AddOptions,
  type LogFields,
  type Logger,
  type Mux,
  type MuxErrorCode,
  type RememberedLists,
  type RereadServer,
  type ServerConfig,
  type ServerStatus,
  messageOf,
} from '@mcpmux/core';

import { chainVariable, isServedAbove } from './config-chain.js';
import { type ConfigChange, nameChanges, type NameChanges } from './config-change.js';
import { formatProblemForLog } from './config-problem.js';
import type { ConfigLocation } from './find-config.js';
import { type ConfigContext, loadConfig } from './load-config.js';
import type { AppliedConfig, LoadedConfig, LoadedServer } from './loaded-config.js';
import {
  configOf,
  readyServers,
  registeredServers,
  type ReadyServer,
  type RegisteredServer,
} from './registered-servers.js';
import { toolView } from './tool-view.js';
import { type Selection, wantedServers } from './wanted-servers.js';

/** The dependencies of a {@link ConfigReconciler}. */
export interface ReconcilerComponents {
  readonly mux: Pick<Mux, 'addServer' | 'removeServer'>;
  readonly logger: Logger;
  readonly context: ConfigContext;
  /** The servers to start. Defaults to all servers. */
  readonly selection?: Selection;
  /** Called with each usable config, before servers are started or stopped to match it. */
  readonly settings?: (config: LoadedConfig) => void;
  /** Returns the servers to start, possibly with changed configurations. By default, all are started unchanged. */
  readonly place?: (servers: readonly LoadedServer[]) => readonly LoadedServer[];
  /** Called with the selected servers of each applied config. `only` names the server if just one was added. */
  readonly publish?: (servers: readonly LoadedServer[], only?: string) => void;
  /** Returns a server's lists from its last run, or undefined if it never ran with this configuration. */
  readonly memory?: { recall(name: string, config: ServerConfig): RememberedLists | undefined };
  /** The address at which mcpmux serves clients, as fields of the log record that reports the ready servers. */
  readonly served?: LogFields | undefined;
  /** Called with the name of each required server that cannot be started. */
  readonly onRequiredFailed?: (server: string) => void;
}

/** The errors to expect if the mux closes, or an agent removes the server, while the server starts. */
const EXPECTED_ERRORS: ReadonlySet<MuxErrorCode> = new Set(['CLOSED', 'SERVER_REMOVED']);

const NOT_STARTED_MESSAGES: Readonly<Record<Exclude<LoadedServer['status'], 'ready'>, string>> = {
  disabled: 'disabled in the config: not started',
  misconfigured: 'failed: its configuration cannot be used, so it is not started',
};

/**
 * Keeps a mux's servers in sync with its config. Does not change the mux's other servers, such as those that agents
 * added. Starts nothing if this process runs below an mcpmux that already serves the same config.
 */
export class ConfigReconciler {
  private registeredByName: ReadonlyMap<string, RegisteredServer> = new Map();
  /** The last applied config, if any. */
  applied: AppliedConfig | undefined;

  constructor(
    private readonly location: ConfigLocation,
    private readonly components: ReconcilerComponents,
  ) {}

  /** The config's registered servers that have a usable configuration. */
  get ready(): ReadonlyMap<string, ReadyServer> {
    return readyServers(this.registeredByName);
  }

  /** True if this reconciler manages the server. */
  has(name: string): boolean {
    return this.registeredByName.has(name);
  }

  /** The usable configurations of the registered servers, by name. */
  get servers(): ReadonlyMap<string, ServerConfig> {
    return new Map([...this.ready].map(([name, { config }]) => [name, config]));
  }

  /**
   * Reads the config, and starts, stops and restarts servers to match it. An unusable config changes nothing. Returns
   * before the servers have started. If a start fails, logs the error and leaves the server registered.
   */
  apply(): ConfigChange {
    const { logger, context } = this.components;
    const { file } = this.location;
    if (isServedAbove(file, context.environment)) {
      const message = 'a mcpmux above this one serves the config: its servers are not started again';
      logger.log('warn', message, { config: file });
      return { isUsable: true, added: [], removed: [], changed: [], problems: [] };
    }
    const newConfig = loadConfig(this.location, context);
    for (const problem of newConfig.problems) {
      logger.log(problem.severity === 'error' ? 'error' : 'warn', formatProblemForLog(problem));
    }
    const problems = newConfig.problems.map(formatProblemForLog);
    if (!newConfig.isUsable) return { isUsable: false, added: [], removed: [], changed: [], problems };
    const { servers, refusal, warnings } = wantedServers(newConfig, this.components.selection ?? {});
    for (const warning of warnings) logger.log('warn', warning, { config: file });
    if (refusal !== undefined) {
      logger.log('error', refusal, { config: file });
      return { isUsable: false, added: [], removed: [], changed: [], problems: [...problems, refusal] };
    }
    this.components.settings?.(newConfig);
    this.components.publish?.(servers);
    this.applied = newConfig;
    logger.log('info', 'config read', { config: file, servers: newConfig.servers.length });
    return { isUsable: true, ...this.setServers(this.place(servers)), problems: [...problems, ...warnings] };
  }

  /** Records a server that was added to the config and is already started. */
  adopt(name: string): void {
    const { context, selection = {}, publish } = this.components;
    const newConfig = loadConfig(this.location, context);
    const { servers } = wantedServers(newConfig, selection);
    publish?.(servers, name);
    this.replaceEntry(
      name,
      newConfig.servers.filter((server) => server.name === name),
    );
    const adoptedServers = this.serversToRegister(
      this.place(servers).filter((server) => server.name === name),
    );
    this.registeredByName = new Map([...this.registeredByName, ...adoptedServers]);
  }

  /** Forgets a server that was removed from the config and is already stopped. */
  disown(name: string): void {
    this.registeredByName = new Map([...this.registeredByName].filter(([known]) => known !== name));
    this.replaceEntry(name, []);
  }

  /** An empty `entry` removes the server. */
  private replaceEntry(name: string, entry: readonly LoadedServer[]): void {
    if (this.applied === undefined) return;
    const otherServers = this.applied.servers.filter((server) => server.name !== name);
    this.applied = { ...this.applied, servers: [...otherServers, ...entry] };
  }

  private place(servers: readonly LoadedServer[]): readonly LoadedServer[] {
    return this.components.place?.(servers) ?? servers;
  }

  private serversToRegister(servers: readonly LoadedServer[]): ReadonlyMap<string, RegisteredServer> {
    return registeredServers(servers, chainVariable(this.location.file, this.components.context.environment));
  }

  /** Rereads a misconfigured server's configuration from the current config and environment. */
  private reread(name: string): RereadServer {
    const { context, selection = {} } = this.components;
    const newConfig = loadConfig(this.location, context);
    const [fault] = newConfig.isUsable ? [] : newConfig.problems;
    if (fault !== undefined) throw new Error(`the config cannot be used: ${formatProblemForLog(fault)}`);
    const server = this.serversToRegister(this.place(wantedServers(newConfig, selection).servers)).get(name);
    if (server === undefined) throw new Error(`${this.location.file} does not have it, or has it disabled`);
    return {
      config: configOf(server),
      ...this.addOptions(name, server),
      registered: () => (this.registeredByName = new Map([...this.registeredByName, [name, server]])),
    };
  }

  private addOptions(
    name: string,
    server: RegisteredServer,
  ): Pick<AddOptions, 'tools' | 'remembered' | 'scopeReason'> {
    if (server.status !== 'ready') return {};
    const { tools, config, scopeReason } = server;
    const remembered = this.components.memory?.recall(name, config);
    return {
      ...(tools !== undefined && { tools: toolView(tools) }),
      ...(remembered !== undefined && { remembered }),
      ...(scopeReason !== undefined && { scopeReason }),
    };
  }

  private setServers(wanted: readonly LoadedServer[]): NameChanges {
    this.reportNotStarted(wanted);
    const previousServers = this.registeredByName;
    const nextServers = this.serversToRegister(wanted);
    this.registeredByName = nextServers;
    const { added, removed, changed } = nameChanges(previousServers, nextServers);
    for (const name of [...removed, ...changed]) this.stopServer(name);
    const serversToStart = [...nextServers].filter(
      ([name]) => added.includes(name) || changed.includes(name),
    );
    void this.reportReady(serversToStart.map(([name, server]) => this.startServer(name, server)));
    // Omit servers that cannot be started, because they are reported as problems.
    return nameChanges(readyServers(previousServers), readyServers(nextServers));
  }

  private reportNotStarted(servers: readonly LoadedServer[]): void {
    const { logger, onRequiredFailed } = this.components;
    for (const { name, status, isRequired } of servers) {
      if (status === 'ready') continue;
      if (isRequired && status !== 'disabled') onRequiredFailed?.(name);
      logger.log(status === 'disabled' ? 'debug' : 'warn', NOT_STARTED_MESSAGES[status], { server: name });
    }
  }

  /** Logs a summary after every server has started or failed to start. Logs nothing if no server started. */
  private async reportReady(starts: readonly Promise<ServerStatus | undefined>[]): Promise<void> {
    const statuses = (await Promise.all(starts)).filter((status) => status !== undefined);
    if (statuses.length === 0) return;
    const toolCount = statuses.reduce((sum, status) => sum + status.tools.length, 0);
    const failedCount = starts.length - statuses.length;
    const { served } = this.components;
    const fields = {
      servers: statuses.length,
      tools: toolCount,
      ...(failedCount > 0 && { failed: failedCount }),
      ...served,
    };
    this.components.logger.log('info', 'the servers of the config are ready', fields);
  }

  /** Starts a server. Resolves to undefined if the server did not start. Never rejects. */
  private startServer(name: string, server: RegisteredServer): Promise<ServerStatus | undefined> {
    const { mux, logger } = this.components;
    const { isRequired, status } = server;
    const options = { keepsFailed: true, reread: () => this.reread(name), ...this.addOptions(name, server) };
    return mux.addServer(name, configOf(server), options).catch((error: unknown) => {
      if (status !== 'ready' || (error instanceof MuxError && EXPECTED_ERRORS.has(error.code)))
        return undefined;
      // Log only the first line. The others repeat the server's stderr, which is already in the log.
      const [problem] = messageOf(error).split('\n', 1);
      logger.log('error', 'a server of the config did not start', { server: name, problem });
      if (isRequired) this.components.onRequiredFailed?.(name);
      return undefined;
    });
  }

  /** Frees the server's name at once. A new server with that name starts only after the old one has ended. */
  private stopServer(name: string): void {
    // An agent may already have removed the server.
    this.components.mux.removeServer(name).catch(() => undefined);
  }
}
