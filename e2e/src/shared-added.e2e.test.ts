import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';

import { describe, expect, it, vi } from 'vitest';

import { fixtureServer } from './testing/fixture-server.js';
import type { RawCli } from './testing/raw-cli.js';
import { serversOf, SharedWindows, untilListed } from './testing/shared-windows.js';
import { textOf } from './testing/tool-response.js';

const SECRET = 's3cret-of-an-agent';

/** The servers of a window with their scopes, by name. */
async function scopesOf(window: RawCli): Promise<Readonly<Record<string, string>>> {
  const servers = await serversOf(window);
  return Object.fromEntries(servers.map(({ name, scope }) => [name, scope]));
}

/** Kills the shared process. Resolves when another one runs. */
async function killed(shared: SharedWindows): Promise<void> {
  const [pid = 0] = await shared.processes();
  process.kill(pid, 'SIGKILL');
  await vi.waitUntil(
    async () => {
      const [next] = await shared.processes();
      return next !== undefined && next !== pid;
    },
    { timeout: 10_000 },
  );
}

/** The text of every file that is there while windows share a process. */
async function filesOf(folder: string): Promise<string> {
  const names = (await readdir(folder)).filter((name) => !name.endsWith('.sock'));
  return (await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))).join('\n');
}

describe('servers that agents have added', () => {
  it('A13: come back after the shared process was killed, for the window or for all, as they were', async () => {
    await using shared = await SharedWindows.open();
    const other = join(shared.folder, 'other');
    await mkdir(other);
    await using one = await shared.window();
    await using two = await shared.window({ cwd: other });
    const dump = fixtureServer('env-dump');
    await one.call('add_server', { name: 'mine', ...dump, env: { TOKEN: SECRET } });
    await one.call('add_server', { name: 'ours', ...fixtureServer('echo'), scope: 'all' });
    await one.call('add_server', { name: 'gone', ...fixtureServer('echo') });
    await one.call('remove_server', { name: 'gone' });
    await two.call('add_server', { name: 'mine', ...dump });
    for (let round = 1; round <= 2; round += 1) {
      await killed(shared);
      for (const window of [one, two]) {
        await untilListed(window, 'ours__echo');
        expect(await scopesOf(window)).toEqual({ mine: 'window', ours: 'all' });
        const { env, cwd } = JSON.parse(textOf(await window.call('mine__env'))) as {
          readonly env: NodeJS.ProcessEnv;
          readonly cwd: string;
        };
        expect([env['TOKEN'], cwd]).toEqual(window === one ? [SECRET, shared.folder] : [undefined, other]);
      }
      expect(await filesOf(shared.runFolder)).not.toContain(SECRET);
      for (const window of [one, two]) expect(window.lines.join('\n')).not.toContain('"mcpmux":');
    }
    // The window has them as before: it may remove them, and then no process brings them back.
    await one.call('remove_server', { name: 'mine' });
    await two.call('remove_server', { name: 'ours' });
    await killed(shared);
    await untilListed(two, 'mine__env');
    expect(await scopesOf(two)).toEqual({ mine: 'window' });
    expect(await scopesOf(one)).toEqual({});
  });

  it('A13: are known to windows that came after them, and a call waits for their start', async () => {
    await using shared = await SharedWindows.open();
    const one = await shared.window();
    await one.call('add_server', { name: 'ours', ...fixtureServer('echo'), scope: 'all' });
    await using late = await shared.window();
    await untilListed(late, 'ours__echo');
    await one[Symbol.asyncDispose]();
    await killed(shared);
    // A call waits for the start.
    expect(textOf(await late.call('ours__echo', { message: 'back' }))).toBe('back');
  });
});
