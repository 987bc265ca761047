import { expect, it } from 'vitest';

import { thisProcess } from '../config/this-process.js';
import { stateFolder } from '../files/state-folder.js';
import type { ServeOptions } from './serve-options.js';
import { withSecretPaths } from './served-mux.js';

const options = (addPolicy: ServeOptions['addPolicy']) => ({ addPolicy }) as ServeOptions;

it('the policy for agents knows the state of mcpmux and the config in use, where it confines', async () => {
  const config = '/srv/team/servers.json';
  const { addPolicy } = await withSecretPaths(options({ mode: 'sandbox' }), config);
  const state = stateFolder(thisProcess());
  expect(addPolicy).toMatchObject({ mode: 'sandbox', secrets: expect.arrayContaining([state, config]) });
});

it('other policies stay as they are', async () => {
  const given = options({ mode: 'ask' });
  await expect(withSecretPaths(given, '/srv/x')).resolves.toBe(given);
});
