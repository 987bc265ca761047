import { expect, it } from 'vitest';

import { spawnOptionsFinder } from './spawn-options.js';

const READY = { name: 'a', status: 'ready', isRequired: false, isSet: false } as const;
const optionsOf = (config: object) =>
  spawnOptionsFinder({ environment: { A: '1', B: '1' }, home: '/home/me' }, [
    { ...READY, config: { command: 'npx', ...config } },
  ]);

it('a package is looked up with the environment and in the folder of its server', () => {
  expect(optionsOf({ env: { B: '2' }, cwd: '/srv' })('a')).toEqual({
    env: { A: '1', B: '2' },
    cwd: '/srv',
  });
  expect(optionsOf({ env: { B: '2' }, inheritEnv: 'none' })('a')).toEqual({
    env: { B: '2' },
    cwd: '/home/me',
  });
  expect(optionsOf({})('other')).toEqual({ env: { A: '1', B: '1' }, cwd: '/home/me' });
});
