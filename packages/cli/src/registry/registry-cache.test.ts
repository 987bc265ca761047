import { temporaryFolder } from '@mcpmux/testing/temporary-folder';
import { expect, it } from 'vitest';

import { RegistryCache } from './registry-cache.js';

it('the stored answers of a registry are not those of another one whose address begins alike', async () => {
  await using folder = await temporaryFolder();
  const environment = { HOME: folder.path };
  const cache = new RegistryCache({ environment, platform: 'linux', home: folder.path });
  cache.write('https://a.example/v0.1/servers?search=x', { servers: [] });
  cache.write('https://a.example.evil/v0.1/servers?search=x', { servers: ['evil'] });
  expect(cache.readAll('https://a.example').map(({ body }) => body)).toEqual([{ servers: [] }]);
  expect(cache.read('https://a.example.evil/v0.1/servers?search=x')?.body).toEqual({ servers: ['evil'] });
});
