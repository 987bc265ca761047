import { execFile } from 'node:child_process';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { expect, it } from 'vitest';

import { cleanEnvironment } from './testing/built-cli.js';

it('the demonstration adds, calls, reloads and removes a real server and says so', async () => {
  const demo = fileURLToPath(new URL('../../tools/demo.mjs', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [demo], { env: cleanEnvironment() });
  expect(stdout).toMatch(/add_server: "every".* runs with \d+ tools/);
  expect(stdout).toContain('The sum of 40 and 2 is 42.');
  expect(stdout).toMatch(/reload_server: process \d+ has become \d+, restarts: 1/);
  expect(stdout).toMatch(/list_servers: "every" is running with \d+ tools/);
  expect(stdout).toContain('remove_server: "every" is gone');
  expect(stdout).toMatch(/every__echo again: .*every__echo/);
  expect(stdout).toContain('left no process behind');
  expect(stdout.trimEnd().split('\n').at(-1)).toBe(
    'server added, tool called, server reloaded, server removed: all as it should be',
  );
});
