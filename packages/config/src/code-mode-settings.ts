import type { CodeModeOptions } from '@mcpmux/code-mode';

import { z, type Checked } from './zod.js';
import { flag, optional, unknownKeys } from './schema-parts.js';

const positiveInteger = z
  .int({ error: 'expected a whole number' })
  .check(z.minimum(1, { error: 'expected a whole number above 0' }));

const LIMIT_SETTINGS = {
  computeMs: optional(
    positiveInteger,
    'How long the code computes, without the time of its calls; 10000 when absent.',
  ),
  timeoutMs: optional(positiveInteger, 'How long a run takes, calls included; 600000 when absent.'),
  memoryBytes: optional(positiveInteger, 'Memory of the code; 64 MiB when absent.'),
  maxCalls: optional(positiveInteger, 'Calls of tools in one run; 100 when absent.'),
  maxParallel: optional(positiveInteger, 'Calls of one run at the same time; 8 when absent.'),
  maxOutput: optional(positiveInteger, 'Characters that the code returns or prints; 100000 when absent.'),
  maxRuns: optional(positiveInteger, 'Runs of one principal at the same time; 2 when absent.'),
};

/** The schema of `mux.codeMode`: on, off, or on with custom limits. */
export const codeModeSettings = z.union(
  [flag, z.strictObject(LIMIT_SETTINGS, { error: unknownKeys('code mode', Object.keys(LIMIT_SETTINGS)) })],
  { error: 'expected true, false, or an object of limits: { "maxCalls": 20 }' },
);

/** The code mode setting in a config. */
export type CodeModeSettings = Checked<typeof codeModeSettings>;

/** Returns the options of code mode, or undefined if the settings do not turn it on. */
export function codeModeOptions(settings: CodeModeSettings | undefined): CodeModeOptions | undefined {
  if (settings === undefined || settings === false) return undefined;
  return settings === true ? {} : settings;
}
