import { isDeepStrictEqual } from 'node:util';

import type { Mux } from '@mcpmux/core';

import { exposureOf, type ExposureFlags, type ExposureSettings } from './exposure-settings.js';

/** Keeps the exposure of a mux equal to its config. */
export class ConfigExposure {
  private settings: ExposureSettings | undefined;

  /** @param flags of the command line, which the mux was made with */
  constructor(
    private readonly mux: Pick<Mux, 'expose'>,
    private readonly flags: ExposureFlags,
  ) {}

  apply(settings: ExposureSettings | undefined): void {
    if (isDeepStrictEqual(settings, this.settings)) return;
    this.settings = settings;
    this.mux.expose(exposureOf(settings, this.flags));
  }
}
