import { guardSettings as settingsOf } from '@mcpmux/core/guards';

import { unknownKeys } from './schema-parts.js';
import { z } from './zod.js';

/** The schema of `guards`, the checks and limits for requests to servers. */
export const guardSettings = settingsOf(z, unknownKeys).check(
  z.describe('Checks and limits between requests and servers.'),
);
