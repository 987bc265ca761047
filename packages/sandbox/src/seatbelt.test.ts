import { expect, it } from 'vitest';

import { seatbeltArgs, seatbeltProfile } from './seatbelt.js';

const VIEW = [
  { path: '/private/tmp', sight: 'empty', isFolder: true, isPassable: false },
  { path: '/Users/ann/.ssh', sight: 'hidden', isFolder: true, isPassable: true },
  { path: '/Users/ann/work', sight: 'writable', isFolder: true, isPassable: false },
  { path: '/Users/ann/.ssh/known_hosts', sight: 'read-only', isFolder: false, isPassable: false },
  { path: '/Users/ann/work/"x\\', sight: 'hidden', isFolder: false, isPassable: false },
] as const;

it('is the profile of the golden file, without a network', async () => {
  await expect(seatbeltProfile({ view: VIEW, hasNetwork: false })).toMatchFileSnapshot(
    'testing/no-network.sb',
  );
});

it('is the profile of the golden file, with a network', async () => {
  await expect(seatbeltProfile({ view: VIEW, hasNetwork: true })).toMatchFileSnapshot('testing/network.sb');
});

it('denies what no rule allows, and allows no network without a word about it', () => {
  const profile = seatbeltProfile({ view: VIEW, hasNetwork: false });
  expect(profile.split('\n').slice(0, 2)).toEqual(['(version 1)', '(deny default)']);
  expect(profile).not.toContain('network');
});

it('starts the program with its arguments as they are', () => {
  const [flag, , ...rest] = seatbeltArgs(
    { command: 'npx', args: ['-p', '$X'] },
    { view: [], hasNetwork: false },
  );
  expect(flag).toBe('-p');
  expect(rest).toEqual(['--', 'npx', '-p', '$X']);
});
