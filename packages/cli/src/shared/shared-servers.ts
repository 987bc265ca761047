import type { ConfigGuards } from '@mcpmux/config';
import type { ConfigLocation } from '@mcpmux/config/find';
import type { Mux, MuxWorkspace } from '@mcpmux/core';

import type { ConfigChange } from '../config/config-reconciler.js';
import { ConfigReconciler } from '../config/config-reconciler.js';
import { thisProcess } from '../config/this-process.js';
import type { StderrLogger } from '../log/stderr-logger.js';
import { startReconciler, type StartedConfig } from '../serve/serve-config.js';
import type { ServeOptions } from '../serve/serve-options.js';
import { Placement } from './placement.js';

/** The dependencies of {@link SharedServers}. */
export interface SharedServersParts {
  readonly mux: Mux;
  readonly logger: StderrLogger;
  readonly options: Pick<ServeOptions, 'only' | 'profile' | 'watch' | 'exposure' | 'tools'>;
  readonly guards: ConfigGuards | undefined;
  /** How long the servers of a folder without windows run on, in milliseconds. */
  readonly idleMs: number;
}

interface Folder {
  readonly workspace: MuxWorkspace;
  readonly reconciler: ConfigReconciler;
  windows: number;
  timer: NodeJS.Timeout | undefined;
}

/** The servers of a config for many windows: those for all of them, and those of each folder that has windows. */
export class SharedServers {
  private readonly placement: Placement;
  private readonly folders = new Map<string, Folder>();
  private started: Promise<StartedConfig> | undefined;

  constructor(
    private readonly location: ConfigLocation,
    private readonly parts: SharedServersParts,
  ) {
    this.placement = new Placement(location, thisProcess());
  }

  /** Starts the servers for all windows, once. Resolves when they are registered. */
  start(): Promise<StartedConfig> {
    this.started ??= this.startForAll();
    return this.started;
  }

  /** A window has come: registers the servers of its folder. Returns the function for its end. */
  enter(folder: string): () => void {
    const entry = this.folders.get(folder) ?? this.open(folder);
    clearTimeout(entry.timer);
    entry.windows += 1;
    return () => {
      entry.windows -= 1;
      if (entry.windows === 0)
        entry.timer = setTimeout(() => this.close(folder, entry), this.parts.idleMs).unref();
    };
  }

  /** Reads the config again. The changes are those of all windows, and of the folders that have windows. */
  async apply(): Promise<ConfigChange> {
    const { reconciler } = await this.start();
    const changes = [
      reconciler.apply(),
      ...[...this.folders.values()].map((folder) => folder.reconciler.apply()),
    ];
    const all = (of: (change: ConfigChange) => readonly string[]): readonly string[] => [
      ...new Set(changes.flatMap(of)),
    ];
    return {
      isUsable: changes.every(({ isUsable }) => isUsable),
      added: all(({ added }) => added),
      removed: all(({ removed }) => removed),
      changed: all(({ changed }) => changed),
      problems: all(({ problems }) => problems),
    };
  }

  private async startForAll(): Promise<StartedConfig> {
    const { mux, logger, options, guards } = this.parts;
    const { only, profile } = options;
    const started = await startReconciler(this.location, {
      mux,
      logger,
      guards,
      options: { ...(only && { only }), ...(profile !== undefined && { profile }) },
      // Other windows go on: the log and list_servers tell of the server.
      onRequiredFailed: () => undefined,
      place: (servers) => this.placement.forAll(servers),
    });
    if (options.watch === true) {
      const { watchConfig } = await import('../config/watch-config.js');
      watchConfig(this.location.file, () => void this.apply());
    }
    return started;
  }

  private open(folder: string): Folder {
    const { mux, logger, options } = this.parts;
    const workspace = mux.openWorkspace(folder);
    const reconciler = new ConfigReconciler(this.placement.locationIn(folder), {
      mux: workspace,
      logger,
      context: { ...thisProcess(), cwd: folder },
      selection: options,
      place: (servers) => this.placement.forFolder(servers, folder),
    });
    reconciler.apply();
    const entry: Folder = { workspace, reconciler, windows: 0, timer: undefined };
    this.folders.set(folder, entry);
    return entry;
  }

  private close(folder: string, entry: Folder): void {
    this.folders.delete(folder);
    void entry.workspace.close();
  }
}
