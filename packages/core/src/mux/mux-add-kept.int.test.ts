import process from 'node:process';

import { expect, it } from 'vitest';

import { createMux } from './mux.js';

const dead = { command: process.execPath, args: ['-e', 'console.error("no key"); process.exit(3)'] };

it('a server that does not start stays registered as crashed where that was asked for, and tells why', async () => {
  await using mux = createMux();
  await expect(mux.addServer('kept', dead, { keepsFailed: true })).rejects.toMatchObject({
    code: 'START_FAILED',
  });
  expect(mux.listServers()).toMatchObject([
    { name: 'kept', status: 'crashed', last_error: { exit_code: 3, stderr_tail: ['no key'] } },
  ]);
  await expect(mux.reloadServer('kept')).rejects.toMatchObject({ code: 'START_FAILED' });
});

it('is not registered otherwise', async () => {
  await using mux = createMux();
  await expect(mux.addServer('gone', dead)).rejects.toMatchObject({ code: 'START_FAILED' });
  expect(mux.listServers()).toEqual([]);
});
