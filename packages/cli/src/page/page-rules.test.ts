import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { temporaryFolder } from '@mcpmux/testing/temporary-folder';
import { expect, it } from 'vitest';

import { rulesOf } from './page-rules.js';

const CONFIG = JSON.stringify({
  mcpServers: {},
  mux: { exposure: { mode: 'search' } },
  guards: { rateLimit: { perSecond: 5 } },
});

it('without flags and config the defaults are shown', () => {
  expect(rulesOf({}, undefined)).toEqual({
    'Servers that agents may add': 'allow on stdio, deny elsewhere',
    Guards: 'none',
    'Changed tools': 'used and reported',
    'Tools in lists': 'all',
    'Own tools in lists': 'all',
  });
});

it('flags have precedence over the config, whose guards are named', async () => {
  await using folder = await temporaryFolder();
  const file = join(folder.path, 'mcpmux.json');
  await writeFile(file, CONFIG);
  const location = { file, origin: 'flag', folder: folder.path } as const;
  const options = { addPolicy: { mode: 'ask' }, pinTools: 'block', tools: 'minimal', only: ['a'] } as const;
  expect(rulesOf(options, location)).toEqual({
    'Servers that agents may add': 'ask',
    Guards: 'rateLimit',
    'Changed tools': 'blocked until approved',
    'Tools in lists': 'search',
    'Own tools in lists': 'minimal',
    'Only these servers': 'a',
  });
  expect(rulesOf({ exposure: 'pinned' }, location)['Tools in lists']).toBe('pinned');
});
