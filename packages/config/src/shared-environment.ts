import { z, type Checked } from './zod.js';
import { nonEmpty, optional, unknownKeys } from './schema-parts.js';

const names = z.array(nonEmpty, { error: 'expected a list of names: ["MY_PANE", "MY_TOOL_*"]' });
const SETTINGS = {
  ignore: optional(names, 'Variables that may differ between windows, and that servers do not get.'),
  respect: optional(names, 'Variables that keep windows apart, and that servers get.'),
};

/** `mux.sharedEnvironment` at the top of a config. */
export const sharedEnvironment = z.strictObject(SETTINGS, {
  error: unknownKeys('sharedEnvironment', Object.keys(SETTINGS)),
});

/**
 * The variables of windows that share a process, in addition to the variables that mcpmux knows. A name may end with
 * `*`.
 */
export type SharedEnvironment = Checked<typeof sharedEnvironment>;
