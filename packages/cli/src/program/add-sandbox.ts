import type { SandboxSettings } from '@mcpmux/core';
import { isSandboxSettings, settingsProblem } from '@mcpmux/sandbox';

import { jsonObject } from '../base/json-object.js';

/**
 * Reads the value of `--add-sandbox`: the settings of a sandbox as a JSON object.
 *
 * @returns the settings, or the problem in the text
 */
export function readAddSandbox(
  text: string,
): { readonly settings: SandboxSettings } | { readonly problem: string } {
  const value = jsonObject(text);
  return isSandboxSettings(value) ? { settings: value } : { problem: `It ${settingsProblem(value)}.` };
}
