import { isDeepStrictEqual } from 'node:util';

import type { Logger, Mux } from '@mcpmux/core';
import { guardsOf, type GuardSettings } from '@mcpmux/core/guards';

/** Keeps the guards of a mux in sync with its config. */
export class ConfigGuards {
  private settings: GuardSettings | undefined;
  private stops: readonly (() => void)[] = [];

  constructor(
    private readonly parts: { readonly mux: Pick<Mux, 'approvals' | 'use'>; readonly logger: Logger },
  ) {}

  /** Replaces the guards synchronously, so that no request passes between the old guards and the new guards. */
  apply(settings: GuardSettings | undefined): void {
    if (isDeepStrictEqual(settings, this.settings)) return;
    this.settings = settings;
    const guards =
      settings === undefined ? [] : guardsOf(settings, this.parts.logger, this.parts.mux.approvals);
    for (const stop of this.stops) stop();
    this.stops = guards.map((guard) => this.parts.mux.use(guard));
  }
}
