import { isDeepStrictEqual } from 'node:util';

import type { Mux } from '@mcpmux/core';
import type { CodeModeOptions } from '@mcpmux/code-mode';

import { codeModeOf, type CodeModeSettings } from './code-mode-settings.js';

/** Keeps the code mode of a mux equal to its config. Its code is loaded when it is first on. */
export class ConfigCodeMode {
  private options: CodeModeOptions | undefined;
  private stop: () => void = () => undefined;

  /** @param flags of the command line: `codeMode` turns it on whatever the config says */
  constructor(
    private readonly mux: Pick<Mux, 'use'>,
    private readonly flags: { readonly codeMode?: boolean } = {},
  ) {}

  /** Resolves when it is on, or off. */
  async apply(settings: CodeModeSettings | undefined): Promise<void> {
    const options = codeModeOf(settings) ?? (this.flags.codeMode === true ? {} : undefined);
    if (isDeepStrictEqual(options, this.options)) return;
    this.options = options;
    this.stop();
    this.stop = () => undefined;
    if (options === undefined) return;
    const { codeMode } = await import('@mcpmux/code-mode');
    // The config may have changed meanwhile.
    if (this.options === options) this.stop = this.mux.use(codeMode(options));
  }
}
