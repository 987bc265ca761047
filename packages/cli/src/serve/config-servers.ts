import type { ConfigFound, ConfigLocation } from '@mcpmux/config/find';
import type { ConfigChange } from '@mcpmux/config/follow';

import { ExitCode } from '../base/exit-code.js';
import type { ServedCluster } from '../cluster/served-cluster.js';
import { configInForce, type ConfigInForce } from '../config/config-in-force.js';
import type { Frontend } from './frontend.js';
import { applyWithoutConfig, isConfigAccepted, startReconciler, type StartedConfig } from './serve-config.js';
import type { ServeOptions } from './serve-options.js';
import { NO_CONFIG_CHANGE } from './served-config.js';
import type { ReadyMux } from './served-mux.js';

/** Starts and reloads the servers of this process's config. Without a config, applies only the defaults. */
export class ConfigServers {
  /** The config whose servers are starting. Undefined before the start, or without a config. */
  startedConfig: Promise<StartedConfig> | undefined;
  /** Resolves to the exit code once a required server fails to start or the config is refused. May never resolve. */
  readonly ended: Promise<number>;
  private resolveEnded: (exitCode: number) => void = () => undefined;
  private rejectEnded: (error: unknown) => void = () => undefined;
  private registeredConfig: StartedConfig | undefined;
  /** The config that the mux last applied. */
  readonly activeConfig: ConfigInForce;

  constructor(
    private readonly found: ConfigFound,
    private readonly options: ServeOptions,
    private readonly parts: ReadyMux,
    private readonly cluster: ServedCluster | undefined,
  ) {
    this.ended = new Promise((resolve, reject) => {
      this.resolveEnded = resolve;
      this.rejectEnded = reject;
    });
    this.activeConfig = configInForce(() => this.registeredConfig?.reconciler.applied ?? parts.applied);
  }

  /** Starts the servers as soon as a client needs them. */
  start({ needed, served, onConfigured }: Pick<Frontend, 'needed' | 'served' | 'onConfigured'>): void {
    const { found } = this;
    if (found.kind === 'found') {
      this.startedConfig = this.startServers(found.location, needed, served);
      this.exitCode().then((exitCode) => {
        if (exitCode !== ExitCode.Ok) this.resolveEnded(exitCode);
      }, this.rejectEnded);
    }
    void (this.startedConfig ?? this.startWithoutConfig(needed)).then(
      (startedConfig) => {
        this.registeredConfig = startedConfig;
        onConfigured?.();
      },
      () => undefined,
    );
  }

  /** Resolves to the exit code to use when the last client disconnects. It is not 0 if the config was refused. */
  async exitCode(): Promise<number> {
    const { startedConfig, found, options } = this;
    return startedConfig === undefined || (await isConfigAccepted(startedConfig, found, options))
      ? ExitCode.Ok
      : ExitCode.Usage;
  }

  /** Reloads the config and resolves to the changes. In a cluster, first waits until publishing succeeds or fails. */
  async reload(): Promise<ConfigChange> {
    const change = (await this.startedConfig)?.reconciler.apply();
    if (change === undefined) return NO_CONFIG_CHANGE;
    return this.cluster === undefined
      ? change
      : { ...change, clusterProblems: await this.cluster.publicationProblems() };
  }

  /** Saves the servers' lists, such as their tools, for the next start. */
  stop(): void {
    this.registeredConfig?.saveLists();
  }

  private async startWithoutConfig(needed: Frontend['needed']): Promise<undefined> {
    const { mux, logger } = this.parts;
    await needed;
    await applyWithoutConfig(mux, logger, this.options);
  }

  private startServers(
    location: ConfigLocation,
    needed: Frontend['needed'],
    served: Frontend['served'],
  ): Promise<StartedConfig> {
    const { parts, options, cluster } = this;
    const { mux, logger, guards } = parts;
    return startReconciler(location, {
      mux,
      logger,
      options,
      guards,
      needed,
      served,
      onRequiredFailed: (server) => {
        logger.log('error', 'a required server did not start: mcpmux ends', { server });
        this.resolveEnded(ExitCode.Unreachable);
      },
      ...(cluster && { place: cluster.localServers, publish: cluster.publish }),
    });
  }
}
