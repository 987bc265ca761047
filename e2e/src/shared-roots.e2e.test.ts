import process from 'node:process';

import { describe, expect, it } from 'vitest';

import { installedServer, NODE } from './testing/built-cli.js';
import { fixtureServer } from './testing/fixture-server.js';
import { SdkWindow } from './testing/sdk-window.js';
import { serversOf, SharedWindows, untilListed } from './testing/shared-windows.js';

const WAIT = { timeout: 15_000 };
const ASKS_ROOTS = { method: 'roots/list', params: {} };

/** The scope of the one server, as each window sees it, and how many processes it has. */
async function placesOf(windows: readonly SdkWindow[]): Promise<object> {
  const servers = await Promise.all(windows.map(async (window) => (await window.servers())[0]));
  const pids = new Set(servers.map((server) => server?.pid));
  return { scopes: servers.map((server) => server?.scope), runs: pids.size, why: servers[0]?.scope_reason };
}

describe('a server that asks for the roots of its client', () => {
  it(
    'A13: runs once for each window from then on, also in the next process',
    { timeout: 60_000 },
    async () => {
      await using shared = await SharedWindows.open({ asks: fixtureServer('interactive') });
      await using one = await SdkWindow.open(shared, 'one');
      await using two = await SdkWindow.open(shared, 'two');
      const windows = [one, two];
      for (const window of windows) await window.untilListed('asks__ask');
      const folder = 'it runs in the folder of its window, or its settings differ by folder';
      expect(await placesOf(windows)).toEqual({ scopes: ['folder', 'folder'], runs: 1, why: folder });
      expect(await one.call('asks__ask', ASKS_ROOTS)).toContain('of-one');
      const own = { scopes: ['window', 'window'], runs: 2, why: 'it asks for the roots of its client' };
      // a server whose lists are saved by now starts with the first call
      await expect.poll(() => placesOf(windows), WAIT).toMatchObject({ scopes: own.scopes, why: own.why });
      for (let round = 0; round < 2; round += 1) {
        for (const window of windows) {
          await window.untilListed('asks__ask_later');
          // No call is in flight when the server asks: only a server of one window can be answered.
          expect(await window.call('asks__ask_later', ASKS_ROOTS)).toBe('asking');
          await expect.poll(() => window.call('asks__answers'), WAIT).toContain(`of-${window.name}`);
        }
        expect(await placesOf(windows)).toEqual(own);
        if (round > 0) break;
        const [pid = 0] = await shared.processes();
        process.kill(pid, 'SIGKILL');
        await expect.poll(() => shared.processes(), WAIT).not.toContain(pid);
      }
    },
  );

  it('A13: is shared as before if its config says so', async () => {
    await using shared = await SharedWindows.open({
      asks: { ...fixtureServer('interactive'), mux: { shared: true } },
    });
    await using one = await SdkWindow.open(shared, 'one');
    await using two = await SdkWindow.open(shared, 'two');
    await one.untilListed('asks__ask');
    expect(await one.call('asks__ask', ASKS_ROOTS)).toContain('of-one');
    expect(await two.call('asks__ask', ASKS_ROOTS)).toContain('of-two');
    const why = 'its config has "mux": {"shared": true}';
    expect(await placesOf([one, two])).toEqual({ scopes: ['all', 'all'], runs: 1, why });
  });
});

it('A13: a server that is known to keep a state for its client runs once for each window', async () => {
  const files = { command: NODE, args: [installedServer('@modelcontextprotocol/server-filesystem')] };
  await using shared = await SharedWindows.open({ files, all: { ...files, args: [...files.args, '/tmp'] } });
  await using window = await shared.window();
  await untilListed(window, 'all__read_file');
  expect((await serversOf(window)).map(({ name, scope, scope_reason: why }) => [name, scope, why])).toEqual([
    ['all', 'folder', expect.stringContaining('folder')],
    ['files', 'window', '@modelcontextprotocol/server-filesystem keeps a state for its client'],
  ]);
});
