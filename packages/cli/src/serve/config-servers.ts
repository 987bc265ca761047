import type { ConfigFound, ConfigLocation } from '@mcpmux/config/find';
import type { ConfigChange } from '@mcpmux/config/follow';

import { ExitCode } from '../base/exit-code.js';
import type { ServedCluster } from '../cluster/served-cluster.js';
import { configInForce, type ConfigInForce } from '../config/config-in-force.js';
import type { Frontend } from './frontend.js';
import { applyWithoutConfig, isAccepted, startReconciler, type StartedConfig } from './serve-config.js';
import type { ServeOptions } from './serve-options.js';
import { NO_CONFIG } from './served-config.js';
import type { OpenMux } from './served-mux.js';

/** The servers of this process's config, if it has a config. */
export class ConfigServers {
  /** The config whose servers are starting. Undefined before the start, or without a config. */
  started: Promise<StartedConfig> | undefined;
  /** Resolves to the exit code if a required server does not start or the config is refused. */
  readonly ended: Promise<number>;
  private end: (exitCode: number) => void = () => undefined;
  private fail: (error: unknown) => void = () => undefined;
  private registered: StartedConfig | undefined;
  /** The config as the mux last applied it. */
  readonly inForce: ConfigInForce;

  constructor(
    private readonly found: ConfigFound,
    private readonly options: ServeOptions,
    private readonly parts: OpenMux,
    private readonly cluster: ServedCluster | undefined,
  ) {
    this.ended = new Promise((resolve, reject) => {
      this.end = resolve;
      this.fail = reject;
    });
    this.inForce = configInForce(() => this.registered?.reconciler.applied ?? parts.applied);
  }

  /** Starts the servers as soon as a client needs them. */
  start({ needed, served, configured }: Pick<Frontend, 'needed' | 'served' | 'configured'>): void {
    const { found } = this;
    if (found.kind === 'found') {
      this.started = this.startAll(found.location, needed, served);
      this.exitCode().then((exitCode) => {
        if (exitCode !== ExitCode.Ok) this.end(exitCode);
      }, this.fail);
    }
    void (this.started ?? this.withoutConfig(needed)).then(
      (started) => {
        this.registered = started;
        configured?.();
      },
      () => undefined,
    );
  }

  /** Resolves to the exit code for the end of the last client. It is not 0 if the config was refused. */
  async exitCode(): Promise<number> {
    const { started, found, options } = this;
    return started === undefined || (await isAccepted(started, found, options))
      ? ExitCode.Ok
      : ExitCode.Usage;
  }

  /**
   * Reloads the config. Resolves to the changes, after they have been published to the cluster or the publication has
   * failed.
   */
  async apply(): Promise<ConfigChange> {
    const change = (await this.started)?.reconciler.apply();
    if (change === undefined) return NO_CONFIG;
    return this.cluster === undefined
      ? change
      : { ...change, clusterProblems: await this.cluster.problems() };
  }

  /** Saves the lists of registered servers for the next start. */
  stop(): void {
    this.registered?.remember();
  }

  private async withoutConfig(needed: Frontend['needed']): Promise<undefined> {
    const { mux, logger } = this.parts;
    await needed;
    await applyWithoutConfig(mux, logger, this.options);
  }

  private startAll(
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
        this.end(ExitCode.Unreachable);
      },
      ...(cluster && { place: cluster.localServers, publish: cluster.publish }),
    });
  }
}
