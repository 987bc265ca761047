import { fileURLToPath } from 'node:url';

import { importCircles, layeringViolations, sourcesIn } from '@mcpmux/testing/layering';
import { expect, it } from 'vitest';

const sources = sourcesIn(fileURLToPath(new URL('.', import.meta.url)));

it('imports only from its own folder, and nothing in circles', () => {
  expect(sources.size).toBeGreaterThan(10);
  expect(layeringViolations(sources, [['.']])).toEqual([]);
  expect(importCircles(sources)).toEqual([]);
});
