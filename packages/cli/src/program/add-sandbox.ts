import type { SandboxSettings } from '@mcpmux/core';
import { isSandboxSettings, settingsProblem } from '@mcpmux/sandbox';

import { parseJsonObject } from '../base/json-object.js';

/**
 * Parses the value of `--add-sandbox`, a JSON object with sandbox settings.
 *
 * @returns the settings, or the problem with the value
 */
export function parseAddSandbox(
  text: string,
): { readonly settings: SandboxSettings } | { readonly problem: string } {
  const value = parseJsonObject(text);
  return isSandboxSettings(value) ? { settings: value } : { problem: `It ${settingsProblem(value)}.` };
}
