import { isDeepStrictEqual } from 'node:util';

import type { Guard, Logger, Mux } from '@mcpmux/core';
import type * as guardMakers from '@mcpmux/core/guards';

import type { GuardSettings } from './guard-settings.js';

type Makers = typeof guardMakers;

/** The dependencies of {@link ConfigGuards}. */
export interface ConfigGuardsParts {
  readonly mux: Pick<Mux, 'use'>;
  readonly logger: Logger;
}

/** Keeps the guards of a mux in sync with its config. */
export class ConfigGuards {
  private settings: GuardSettings | undefined;
  private stops: readonly (() => void)[] = [];

  private constructor(
    private readonly makers: Makers,
    private readonly parts: ConfigGuardsParts,
  ) {}

  /** Loads the code of the guards first, even for a config without guards, because a later config may have some. */
  static async load(parts: ConfigGuardsParts): Promise<ConfigGuards> {
    return new ConfigGuards(await import('@mcpmux/core/guards'), parts);
  }

  /** Replaces the guards synchronously, so that no request passes between the old guards and the new guards. */
  apply(settings: GuardSettings | undefined): void {
    if (isDeepStrictEqual(settings, this.settings)) return;
    this.settings = settings;
    const guards = settings === undefined ? [] : guardsOf(settings, this.makers, this.parts.logger);
    for (const stop of this.stops) stop();
    this.stops = guards.map((guard) => this.parts.mux.use(guard));
  }
}

/**
 * Returns the guards of a config, outermost first. Refusals are audited, calls without access are not counted, cached
 * results do not wait for a free slot, and the time limit of a call begins after its wait.
 */
export function guardsOf(settings: GuardSettings, makers: Makers, logger: Logger): readonly Guard[] {
  const { audit, access, rateLimit, concurrency, cache, timeouts, resultBytes, largeResults } = settings;
  return [
    ...(audit === true
      ? [makers.callAudit({ sink: (record) => logger.log('info', 'call', { ...record }) })]
      : []),
    ...(access === undefined ? [] : [makers.accessControl(access)]),
    ...each(rateLimit, makers.rateLimit),
    // Outside the cache, because a cached result outlives its handle.
    ...each(largeResults, makers.largeResults),
    ...each(cache, makers.resultCache),
    ...each(concurrency, makers.concurrency),
    ...each(timeouts, makers.timeLimit),
    ...each(resultBytes, makers.resultLimit),
  ];
}

function each<Options>(
  settings: Options | Options[] | undefined,
  make: (options: Options) => Guard,
): readonly Guard[] {
  return settings === undefined ? [] : (Array.isArray(settings) ? settings : [settings]).map(make);
}
