import { readFileSync } from 'node:fs';

import { expect, it } from 'vitest';

import { configJsonSchema } from './config-json-schema.js';
import { serverSchema } from './config-schema.js';
import { SERVER_KEYS } from './known-keys.js';

it('is shipped as JSON Schema: write it anew with mcpmux config schema', () => {
  const shipped: unknown = JSON.parse(
    readFileSync(new URL('../../schema/mcpmux.schema.json', import.meta.url), 'utf8'),
  );
  expect(shipped).toEqual(configJsonSchema());
});

it('knows the keys that are acted on, and no others', () => {
  expect(Object.keys(serverSchema.shape).toSorted()).toEqual([...SERVER_KEYS].toSorted());
});
