import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { clientEnvironments } from '@mcpmux/testing/client-environments';
import { describe, expect, it } from 'vitest';

import { commandOutput } from './testing/command-output.js';
import { fixtureServer } from './testing/fixture-server.js';
import { serversOf, SharedWindows, untilListed } from './testing/shared-windows.js';
import { textOf } from './testing/tool-response.js';

const SERVERS = { dump: { ...fixtureServer('env-dump'), mux: { shared: true } } };
const GONE_WITHIN = { timeout: 10_000 };

interface Apart {
  readonly pid: number;
  readonly variables: readonly string[];
}

/** A recorded environment, for programs that run here. */
function here(
  recorded: Readonly<Record<string, string>>,
  { folder }: SharedWindows,
): Readonly<Record<string, string>> {
  const { HOME: _, PATH: __, SHELL: ___, ...rest } = recorded;
  return { ...rest, HOME: folder };
}

describe.each(clientEnvironments())('A13: windows of $client', ({ windows: [first, second] }) => {
  it('share one process, whose servers see no variable in which they differ', async () => {
    await using shared = await SharedWindows.open(SERVERS);
    await using one = await shared.window({ env: here(first, shared) });
    await using two = await shared.window({ env: here(second, shared) });
    await untilListed(one, 'dump__env');
    expect(await serversOf(two)).toMatchObject([{ scope: 'all', windows: 2 }]);
    expect(await shared.processes()).toHaveLength(1);
    const { env } = JSON.parse(textOf(await one.call('dump__env'))) as {
      readonly env: Readonly<Record<string, string>>;
    };
    expect(env).toMatchObject({ GITHUB_TOKEN: 'ghp_invented' });
    const differing = Object.keys(first).filter((name) => first[name] !== second[name]);
    expect(differing.filter((name) => env[name] === first[name])).toEqual([]);
  });
});

it('A13: windows whose GITHUB_TOKEN differs share none, and status names the variable', async () => {
  const recorded = clientEnvironments().find(({ client }) => client === 'claude-code');
  if (recorded === undefined) throw new Error('no environments of claude-code');
  const [first, second] = recorded.windows;
  await using shared = await SharedWindows.open(SERVERS);
  await using one = await shared.window({ env: here(first, shared) });
  await using two = await shared.window({ env: { ...here(second, shared), GITHUB_TOKEN: 'ghp_other' } });
  await Promise.all([one, two].map(serversOf));
  expect(await shared.processes()).toHaveLength(2);
  const json = await commandOutput(['status', '--json'], shared.environment);
  const processes = JSON.parse(json) as readonly { readonly apart: readonly Apart[] }[];
  expect(processes.flatMap(({ apart }) => apart.map(({ variables }) => variables))).toEqual([
    ['GITHUB_TOKEN'],
    ['GITHUB_TOKEN'],
  ]);
  expect(json).not.toContain('ghp_');
  expect(await commandOutput(['status'], shared.environment)).toContain('for GITHUB_TOKEN');
});

it('A13: windows share a process if the config ignores the variable in which they differ', async () => {
  await using shared = await SharedWindows.open(SERVERS);
  const config = { mcpServers: SERVERS, mux: { sharedEnvironment: { ignore: ['MY_*'] } } };
  await writeFile(join(shared.folder, 'config.json'), JSON.stringify(config));
  await using one = await shared.window({ env: { MY_PANE: '1', TONE: 'a' } });
  await using two = await shared.window({ env: { MY_PANE: '2', TONE: 'a' } });
  await Promise.all([one, two].map(serversOf));
  expect(await shared.processes()).toHaveLength(1);
  await using other = await shared.window({ env: { MY_PANE: '2', TONE: 'b' } });
  await serversOf(other);
  expect(await shared.processes()).toHaveLength(2);
});

it('A13: a window that shares with nobody leaves nothing behind', async () => {
  await using shared = await SharedWindows.open(SERVERS);
  const window = shared.start({ isIdleDefault: true });
  await window.initialize();
  await serversOf(window);
  expect(await shared.processes()).toHaveLength(1);
  await window[Symbol.asyncDispose]();
  await expect.poll(() => shared.processes(), GONE_WITHIN).toEqual([]);
  await shared.lifeline.waitForAllGone(10_000);
});
