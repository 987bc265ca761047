import { isDeepStrictEqual } from 'node:util';

import type { Guard, Logger, Mux } from '@mcpmux/core';
import type * as guardMakers from '@mcpmux/core/guards';

import type { GuardSettings } from './guard-settings.js';

type Makers = typeof guardMakers;

/** Keeps the guards of a mux equal to its config. Their code is loaded when the config first has guards. */
export class ConfigGuards {
  private settings: GuardSettings | undefined;
  private makers: Makers | undefined;
  private stops: readonly (() => void)[] = [];

  constructor(private readonly parts: { readonly mux: Pick<Mux, 'use'>; readonly logger: Logger }) {}

  /** Loads the code of guards, so that {@link apply} works synchronously. */
  async load(): Promise<void> {
    this.makers ??= await import('@mcpmux/core/guards');
  }

  /** Replaces the guards. No request passes between the old ones and the new ones. */
  apply(settings: GuardSettings | undefined): void {
    if (isDeepStrictEqual(settings, this.settings)) return;
    const { makers } = this;
    if (makers === undefined) return void this.load().then(() => this.apply(settings));
    this.settings = settings;
    const guards = settings === undefined ? [] : guardsOf(settings, makers, this.parts.logger);
    for (const stop of this.stops) stop();
    this.stops = guards.map((guard) => this.parts.mux.use(guard));
  }
}

/**
 * The guards of a config, outermost first: refusals are audited, calls without access are not counted, cached results
 * do not wait for a place, and the time limit of a call begins after its wait.
 */
export function guardsOf(settings: GuardSettings, makers: Makers, logger: Logger): readonly Guard[] {
  const { audit, access, rateLimit, concurrency, cache, timeouts, resultBytes, largeResults } = settings;
  return [
    ...(audit === true
      ? [makers.callAudit({ sink: (record) => logger.log('info', 'call', { ...record }) })]
      : []),
    ...(access === undefined ? [] : [makers.accessControl(access)]),
    ...each(rateLimit, makers.rateLimit),
    // Outside of the cache: a cached result outlives its handle.
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
