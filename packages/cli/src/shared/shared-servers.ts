import type { AppliedConfig, ConfigGuards } from '@mcpmux/config';
import type { ConfigLocation } from '@mcpmux/config/find';
import { type ConfigChange, ConfigReconciler, watchConfig } from '@mcpmux/config/follow';
import type { Mux, MuxWorkspace, ServerConfig } from '@mcpmux/core';
import type { LayeredServer } from '@mcpmux/dashboard';

import type { ConfigInForce } from '../config/config-in-force.js';
import type { RememberedCatalog } from '../config/remembered-catalog.js';
import { thisProcess } from '../config/this-process.js';
import type { StderrLogger } from '../log/stderr-logger.js';
import {
  configFilesOf,
  startReconciler,
  type RememberedServers,
  type StartedConfig,
} from '../serve/serve-config.js';
import type { ServeOptions } from '../serve/serve-options.js';
import { idleMsAfterLastWindow, type IdleTime } from './idle-time.js';
import { Placement } from './placement.js';
import { RootsMemory, rootsMemoryFile } from './roots-memory.js';

/** The dependencies of {@link SharedServers}. */
export interface SharedServersParts {
  readonly mux: Mux;
  readonly logger: StderrLogger;
  readonly options: Pick<ServeOptions, 'only' | 'profile' | 'watch' | 'exposure' | 'tools' | 'codeMode'>;
  readonly guards?: ConfigGuards | undefined;
  /** The config as applied at startup. Used until the servers for all windows are registered. */
  readonly applied?: AppliedConfig | undefined;
  /** How long a folder's servers continue to run without windows. */
  readonly idle: IdleTime;
}

interface Folder {
  readonly workspace: MuxWorkspace;
  readonly reconciler: ConfigReconciler;
  windowCount: number;
  isShared: boolean;
  timer: NodeJS.Timeout | undefined;
}

/** A config's servers in a shared process. All windows share some of them, and a folder's windows share others. */
export class SharedServers implements ConfigInForce {
  private readonly placement: Placement;
  private readonly rootsMemory: RootsMemory;
  private readonly folders = new Map<string, Folder>();
  private startedConfig: Promise<StartedConfig> | undefined;
  /** Manages the servers that all windows share. Undefined until they are registered. */
  private sharedReconciler: ConfigReconciler | undefined;
  private memory: RememberedCatalog | undefined;

  constructor(
    private readonly location: ConfigLocation,
    private readonly parts: SharedServersParts,
  ) {
    this.rootsMemory = new RootsMemory(rootsMemoryFile(location.file, thisProcess()));
    this.placement = new Placement(location, thisProcess(), (server) => this.rootsMemory.has(server));
    parts.mux.on('server:asked-roots', ({ server }) => void this.isolatePerWindow(server));
  }

  get applied(): AppliedConfig | undefined {
    return this.sharedReconciler?.applied ?? this.parts.applied;
  }

  hasServer({ name, layer, workspace, session }: LayeredServer): boolean {
    if (session !== undefined) return false;
    const reconciler =
      layer === undefined ? this.sharedReconciler : this.folders.get(workspace ?? '')?.reconciler;
    return reconciler?.has(name) === true;
  }

  /** On the first call, starts the servers that all windows share. Resolves once they are registered. */
  start(): Promise<StartedConfig> {
    this.startedConfig ??= this.startForAllWindows();
    return this.startedConfig;
  }

  /** Saves the servers' lists and tool usage for the next start. */
  async saveLists(): Promise<void> {
    (await this.startedConfig)?.saveLists();
  }

  /** Adds a window, and registers the servers of a new folder. Returns the function to call when the window closes. */
  addWindow(folder: string): () => void {
    const entry = this.folders.get(folder) ?? this.openFolder(folder);
    clearTimeout(entry.timer);
    entry.windowCount += 1;
    entry.isShared ||= entry.windowCount > 1;
    return () => {
      entry.windowCount -= 1;
      if (entry.windowCount > 0) return;
      const idleMs = idleMsAfterLastWindow(this.parts.idle, entry.isShared);
      entry.timer = setTimeout(() => this.closeFolder(folder, entry), idleMs).unref();
    };
  }

  /** Reloads the config. Resolves to the combined changes to all servers. */
  async reload(): Promise<ConfigChange> {
    const { reconciler } = await this.start();
    const changes = [reconciler, ...this.folderReconcilers].map((each) => each.apply());
    const combine = (select: (change: ConfigChange) => readonly string[]): readonly string[] => [
      ...new Set(changes.flatMap(select)),
    ];
    return {
      isUsable: changes.every(({ isUsable }) => isUsable),
      added: combine(({ added }) => added),
      removed: combine(({ removed }) => removed),
      changed: combine(({ changed }) => changed),
      problems: combine(({ problems }) => problems),
    };
  }

  /** Gives each window its own run of a server that has requested roots, unless the server's placement is fixed. */
  private async isolatePerWindow(name: string): Promise<void> {
    const { logger } = this.parts;
    const allReconcilers = [(await this.start()).reconciler, ...this.folderReconcilers];
    const matchingServers = allReconcilers.flatMap((reconciler) => reconciler.ready.get(name) ?? []);
    const sharedServer = matchingServers.find((server) => !this.placement.isPlacementFixed(server));
    if (sharedServer === undefined) return;
    const message = 'the server asks for the roots of its client: from now on it runs once for each window';
    logger.log('info', message, { server: name });
    try {
      this.rootsMemory.add(sharedServer);
    } catch (error) {
      logger.log('debug', 'that cannot be saved for the next start', { problem: String(error) });
    }
    await this.reload();
  }

  private get folderReconcilers(): readonly ConfigReconciler[] {
    return [...this.folders.values()].map(({ reconciler }) => reconciler);
  }

  private async startForAllWindows(): Promise<StartedConfig> {
    const { mux, logger, options, guards } = this.parts;
    const { watch: _, ...rest } = options;
    const started = await startReconciler(this.location, {
      mux,
      logger,
      guards,
      options: rest,
      // A failed required server does not end the process, because windows can use the other servers.
      onRequiredFailed: () => undefined,
      place: (servers) => this.placement.serversForAllWindows(servers),
      folders: this.serversInFolders(),
    });
    this.sharedReconciler = started.reconciler;
    this.memory = started.memory;
    if (options.watch === true)
      for (const file of configFilesOf(this.location)) watchConfig(file, () => void this.reload());
    return started;
  }

  private openFolder(folder: string): Folder {
    const { mux, logger, options } = this.parts;
    const workspace = mux.openWorkspace(folder);
    const reconciler = new ConfigReconciler(this.placement.configLocationFor(folder), {
      mux: workspace,
      logger,
      context: { ...thisProcess(), cwd: folder },
      selection: options,
      place: (servers) => this.placement.serversForFolder(servers, folder),
      memory: { recall: (name, config) => this.memory?.recall(name, withoutFolder(config, folder)) },
    });
    reconciler.apply();
    const entry: Folder = { workspace, reconciler, windowCount: 0, isShared: false, timer: undefined };
    this.folders.set(folder, entry);
    return entry;
  }

  private closeFolder(folder: string, entry: Folder): void {
    this.folders.delete(folder);
    void entry.workspace.close();
  }

  /** The servers of all open folders, with the configurations that they would have without `--shared`. */
  private serversInFolders(): RememberedServers {
    const { folders } = this;
    return {
      get servers() {
        const entries = [...folders].flatMap(([folder, { reconciler }]) =>
          [...reconciler.servers].map(([name, config]) => [name, withoutFolder(config, folder)] as const),
        );
        return new Map(entries);
      },
      remember: (name) => {
        for (const { workspace } of folders.values()) {
          const lists = workspace.remember(name);
          if (lists !== undefined) return lists;
        }
        return undefined;
      },
    };
  }
}

/** Removes the working directory that {@link Placement} has set. */
function withoutFolder(config: ServerConfig, folder: string): ServerConfig {
  if (config.url !== undefined || config.cwd !== folder) return config;
  const { cwd: _, ...rest } = config;
  return rest;
}
