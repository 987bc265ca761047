import { toJSONSchema } from 'zod/v4/core';

import { configSchema } from '@mcpmux/config';

/** Returns the JSON Schema of a config file, for editors. */
export function configJsonSchema(): object {
  return toJSONSchema(configSchema, { io: 'input' });
}
