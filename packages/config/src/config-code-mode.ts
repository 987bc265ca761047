import { isDeepStrictEqual } from 'node:util';

import type { Mux } from '@mcpmux/core';
import type { CodeModeOptions } from '@mcpmux/code-mode';

import { codeModeOptions, type CodeModeSettings } from './code-mode-settings.js';

/** Keeps a mux's code mode in sync with its config. Imports `@mcpmux/code-mode` only when code mode is turned on. */
export class ConfigCodeMode {
  private activeOptions: CodeModeOptions | undefined;
  private turnOff: () => void = () => undefined;

  /** @param flags the command-line flags; `codeMode` turns code mode on regardless of the config */
  constructor(
    private readonly mux: Pick<Mux, 'use'>,
    private readonly flags: { readonly codeMode?: boolean } = {},
  ) {}

  /** Resolves when the mux's code mode matches the settings. */
  async apply(settings: CodeModeSettings | undefined): Promise<void> {
    const options = codeModeOptions(settings) ?? (this.flags.codeMode === true ? {} : undefined);
    if (isDeepStrictEqual(options, this.activeOptions)) return;
    this.activeOptions = options;
    this.turnOff();
    this.turnOff = () => undefined;
    if (options === undefined) return;
    const { codeMode } = await import('@mcpmux/code-mode');
    // A later `apply` may have changed the options during the import.
    if (this.activeOptions === options) this.turnOff = this.mux.use(codeMode(options));
  }
}
