import { z, type Checked } from './zod.js';
import { nonEmpty, optional, unknownKeys } from './schema-parts.js';

const nameList = z.array(nonEmpty, { error: 'expected a list of names: ["MY_PANE", "MY_TOOL_*"]' });
const SHARED_ENVIRONMENT_SETTINGS = {
  ignore: optional(nameList, 'Variables that may differ between windows, and that servers do not get.'),
  respect: optional(nameList, 'Variables that keep windows apart, and that servers get.'),
};

/** The schema of the top-level `mux.sharedEnvironment`. */
export const sharedEnvironment = z.strictObject(SHARED_ENVIRONMENT_SETTINGS, {
  error: unknownKeys('sharedEnvironment', Object.keys(SHARED_ENVIRONMENT_SETTINGS)),
});

/** Adds to mcpmux's rules on which variables may differ between windows of a process. A name may end with `*`. */
export type SharedEnvironment = Checked<typeof sharedEnvironment>;
