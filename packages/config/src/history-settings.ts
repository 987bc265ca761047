import { z, type Checked } from './zod.js';
import { flag, optional, unknownKeys } from './schema-parts.js';

const megabytes = z
  .int({ error: 'expected a whole number of megabytes' })
  .check(z.minimum(1, { error: 'expected a whole number above 0' }));

const HISTORY_SETTINGS = {
  content: optional(flag, 'true: also arguments and results, without the secrets that mcpmux knows.'),
  maxMegabytes: optional(megabytes, 'The size above which the oldest calls are dropped; 20 when absent.'),
};

/** The schema of `mux.history`: on, off, or on with custom settings. */
export const historySettings = z.union(
  [flag, z.strictObject(HISTORY_SETTINGS, { error: unknownKeys('history', Object.keys(HISTORY_SETTINGS)) })],
  { error: 'expected true, false, or an object: { "content": true }' },
);

/** The value of `mux.history` in a config. */
export type HistorySettings = Checked<typeof historySettings>;
