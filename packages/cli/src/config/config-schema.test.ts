import { readFileSync } from 'node:fs';

import { expect, it } from 'vitest';

import { configJsonSchema } from './config-json-schema.js';

it('is shipped as JSON Schema: write it anew with mcpmux config schema', () => {
  const shipped: unknown = JSON.parse(
    readFileSync(new URL('../../schema/mcpmux.schema.json', import.meta.url), 'utf8'),
  );
  expect(shipped).toEqual(configJsonSchema());
});
