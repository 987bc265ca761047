import { isDeepStrictEqual } from 'node:util';

import type { Logger, Mux } from '@mcpmux/core';
import { guardsOf, type GuardSettings, type ResultHost } from '@mcpmux/core/guards';

/** The dependencies of {@link ConfigGuards}. */
export interface ConfigGuardsParts {
  readonly mux: Pick<Mux, 'approvals' | 'use'>;
  readonly logger: Logger;
  /** If present, `largeResults` defaults to `auto`. */
  readonly results?: ResultHost | undefined;
}

/** Keeps the guards of a mux in sync with its config. */
export class ConfigGuards {
  private appliedSettings: GuardSettings | undefined;
  private removeCallbacks: readonly (() => void)[] = [];

  constructor(private readonly parts: ConfigGuardsParts) {}

  /** Replaces the guards synchronously, so that no request passes unguarded during the change. */
  apply(newSettings: GuardSettings | undefined): void {
    const { mux, logger, results } = this.parts;
    const settings = results === undefined ? newSettings : { largeResults: 'auto' as const, ...newSettings };
    if (isDeepStrictEqual(settings, this.appliedSettings)) return;
    this.appliedSettings = settings;
    const guards = settings === undefined ? [] : guardsOf(settings, logger, mux.approvals, results);
    for (const removeGuard of this.removeCallbacks) removeGuard();
    this.removeCallbacks = guards.map((guard) => mux.use(guard));
  }
}
