import { expect, it } from 'vitest';

import { bubblewrapArgs, NAMESPACE_OPTIONS } from './bubblewrap.js';
import type { ViewRule } from './file-view.js';

const rule = (path: string, sight: ViewRule['sight'], rest: Partial<ViewRule> = {}): ViewRule => ({
  path,
  sight,
  isFolder: true,
  isPassable: false,
  ...rest,
});

const VIEW = [
  rule('/tmp', 'empty'),
  rule('/home/ann/.ssh', 'hidden', { isPassable: true }),
  rule('/home/ann/.aws', 'hidden'),
  rule('/home/ann/work', 'writable'),
  rule('/home/ann/.netrc', 'hidden', { isFolder: false }),
  rule('/home/ann/work/.git/hooks', 'read-only'),
];

it('mounts the view in its order, and drops every right', () => {
  const args = bubblewrapArgs(
    { command: 'npx', args: ['-y', 'a b', '--', '$X'] },
    {
      view: VIEW,
      namespaces: NAMESPACE_OPTIONS[0] ?? [],
      hasNetwork: false,
      cwd: '/home/ann/work',
      variables: { LD_PRELOAD: '/x.so' },
    },
  );
  expect(args).toEqual(
    [
      ['--unshare-user', '--disable-userns', '--unshare-pid', '--unshare-ipc', '--unshare-cgroup-try'],
      ['--unshare-net', '--die-with-parent', '--cap-drop', 'ALL'],
      ['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--remount-ro', '/proc'],
      ['--perms', '1777', '--tmpfs', '/tmp'],
      ['--perms', '0111', '--tmpfs', '/home/ann/.ssh'],
      ['--perms', '0000', '--tmpfs', '/home/ann/.aws'],
      ['--bind', '/home/ann/work', '/home/ann/work'],
      ['--ro-bind', '/dev/null', '/home/ann/.netrc'],
      ['--ro-bind', '/home/ann/work/.git/hooks', '/home/ann/work/.git/hooks'],
      ['--setenv', 'LD_PRELOAD', '/x.so', '--chdir', '/home/ann/work'],
      ['--', 'npx', '-y', 'a b', '--', '$X'],
    ].flat(),
  );
});

it('shares the network only where the settings say so', () => {
  const rules = { view: [], namespaces: [], cwd: '/', variables: {} };
  const program = { command: 'node', args: [] };
  expect(bubblewrapArgs(program, { ...rules, hasNetwork: true })).not.toContain('--unshare-net');
  expect(bubblewrapArgs(program, { ...rules, hasNetwork: false })).toContain('--unshare-net');
});
