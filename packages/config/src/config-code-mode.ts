import { isDeepStrictEqual } from 'node:util';

import type { Mux } from '@mcpmux/core';
import type { CodeModeOptions } from '@mcpmux/code-mode';

import { codeModeOf, type CodeModeSettings } from './code-mode-settings.js';

/** Keeps the code mode of a mux in sync with its config. Loads the code of code mode when it is first turned on. */
export class ConfigCodeMode {
  private options: CodeModeOptions | undefined;
  private stop: () => void = () => undefined;

  /** @param flags the command-line flags; `codeMode` turns code mode on regardless of the config */
  constructor(
    private readonly mux: Pick<Mux, 'use'>,
    private readonly flags: { readonly codeMode?: boolean } = {},
  ) {}

  /** Resolves when code mode has been turned on or off. */
  async apply(settings: CodeModeSettings | undefined): Promise<void> {
    const options = codeModeOf(settings) ?? (this.flags.codeMode === true ? {} : undefined);
    if (isDeepStrictEqual(options, this.options)) return;
    this.options = options;
    this.stop();
    this.stop = () => undefined;
    if (options === undefined) return;
    const { codeMode } = await import('@mcpmux/code-mode');
    // The config may have changed in the meantime.
    if (this.options === options) this.stop = this.mux.use(codeMode(options));
  }
}
