import { spawnSync } from 'node:child_process';

const BUBBLEWRAP_PATH = process.env['MCPMUX_BWRAP'] ?? '/usr/bin/bwrap';
const TEST_OPTIONS = ['--unshare-pid', '--unshare-net', '--ro-bind', '/', '/', '--proc', '/proc'];

/** True if a working bubblewrap is found, at the path in MCPMUX_BWRAP or where distributions install it. */
export const hasBubblewrap =
  process.platform === 'linux' &&
  spawnSync(BUBBLEWRAP_PATH, [...TEST_OPTIONS, '--', '/bin/sh', '-c', ':']).status === 0;

if (!hasBubblewrap)
  // oxlint-disable-next-line no-console -- the reason why tests are skipped
  console.warn('skipped: no bubblewrap that runs here, and none in MCPMUX_BWRAP');
