import { isDeepStrictEqual } from 'node:util';

import type { Mux } from '@mcpmux/core';
import type { CodeModeOptions } from '@mcpmux/code-mode';

import { codeModeOptions, type CodeModeSettings } from './code-mode-settings.js';

/** Keeps a mux's code mode in sync with its config. Loads the package when code mode is first turned on. */
export class ConfigCodeMode {
  private activeOptions: CodeModeOptions | undefined;
  private turnOff: () => void = () => undefined;

  /** @param flags the command-line flags; `codeMode` turns code mode on regardless of the config */
  constructor(
    private readonly mux: Pick<Mux, 'use'>,
    private readonly flags: { readonly codeMode?: boolean } = {},
  ) {}

  /** Resolves when code mode has been turned on or off. */
  async apply(settings: CodeModeSettings | undefined): Promise<void> {
    const options = codeModeOptions(settings) ?? (this.flags.codeMode === true ? {} : undefined);
    if (isDeepStrictEqual(options, this.activeOptions)) return;
    this.activeOptions = options;
    this.turnOff();
    this.turnOff = () => undefined;
    if (options === undefined) return;
    const { codeMode } = await import('@mcpmux/code-mode');
    // The config may have changed in the meantime.
    if (this.activeOptions === options) this.turnOff = this.mux.use(codeMode(options));
  }
}
