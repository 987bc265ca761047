import { isDeepStrictEqual } from 'node:util';

import type { Mux } from '@mcpmux/core';

import { exposureOf, type ExposureFlags, type ExposureSettings } from './exposure-settings.js';

/** Keeps the exposure of a mux in sync with its config. */
export class ConfigExposure {
  private appliedSettings: ExposureSettings | undefined;

  /** @param flags the command-line flags with which the mux was created */
  constructor(
    private readonly mux: Pick<Mux, 'expose'>,
    private readonly flags: ExposureFlags,
  ) {}

  apply(settings: ExposureSettings | undefined): void {
    if (isDeepStrictEqual(settings, this.appliedSettings)) return;
    this.appliedSettings = settings;
    this.mux.expose(exposureOf(settings, this.flags));
  }
}
