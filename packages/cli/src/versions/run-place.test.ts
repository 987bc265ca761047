import { expect, it } from 'vitest';

import { runPlaces } from './run-place.js';

const READY = { name: 'a', status: 'ready', isRequired: false, isSet: false } as const;
const placeOf = (config: object) =>
  runPlaces({ environment: { A: '1', B: '1' }, home: '/home/me' }, [
    { ...READY, config: { command: 'npx', ...config } },
  ]);

it('a package is looked up with the environment and in the folder of its server', () => {
  expect(placeOf({ env: { B: '2' }, cwd: '/srv' })('a')).toEqual({ env: { A: '1', B: '2' }, cwd: '/srv' });
  expect(placeOf({ env: { B: '2' }, inheritEnv: 'none' })('a')).toEqual({ env: { B: '2' }, cwd: '/home/me' });
  expect(placeOf({})('other')).toEqual({ env: { A: '1', B: '1' }, cwd: '/home/me' });
});
