import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { fixtureServer } from './testing/fixture-server.js';
import { RawCli } from './testing/raw-cli.js';
import { serversOf, SharedWindows, untilListed } from './testing/shared-windows.js';
import { textOf } from './testing/tool-response.js';

interface Listed {
  readonly instance_id: string;
  readonly name: string;
  readonly pid: number;
  readonly root: string;
}

async function instancesOf(window: RawCli): Promise<readonly Listed[]> {
  const { result } = await window.call('list_instances');
  const { instances } = (result?.['structuredContent'] ?? { instances: [] }) as {
    readonly instances: readonly Listed[];
  };
  return instances;
}

/** Connects one mcpmux to another, and resolves with its answer. */
async function connect(from: RawCli, to: RawCli, name: string): Promise<string> {
  const instances = await instancesOf(from);
  const { instance_id } = instances.find(({ pid }) => pid === to.child.pid) ?? {};
  return textOf(await from.call('connect_instance', { instance_id, name }));
}

async function windowsIn(shared: SharedWindows): Promise<readonly [RawCli, RawCli]> {
  const windows = ['one', 'two'].map(async (name) => {
    const cwd = join(shared.folder, name);
    await mkdir(cwd);
    const window = await shared.window({ cwd });
    await window.call('add_server', { name: 'e', ...fixtureServer('echo') });
    return window;
  });
  const [one, two] = await Promise.all(windows);
  if (one === undefined || two === undefined) throw new Error('there are two');
  return [one, two];
}

describe('the windows of one shared process', () => {
  it('A13, H1: are instances for each other and for other instances, and have their own servers called', async () => {
    await using shared = await SharedWindows.open();
    const [one, two] = await windowsIn(shared);
    await using hub = new RawCli({
      args: ['--no-config', '--log-level', 'debug'],
      env: shared.environment,
      cwd: shared.folder,
    });
    await hub.initialize();
    await hub.until(() => hub.stderr.includes('commands can reach this mcpmux') || undefined);
    const seen = await instancesOf(hub);
    expect(new Set(seen.map(({ name, pid, root }) => `${name} ${pid} ${root}`))).toEqual(
      new Set([
        `one ${one.child.pid} ${join(shared.folder, 'one')}`,
        `two ${two.child.pid} ${join(shared.folder, 'two')}`,
      ]),
    );
    expect(new Set((await instancesOf(one)).map(({ pid }) => pid))).toEqual(
      new Set([two.child.pid, hub.child.pid]),
    );
    await connect(hub, one, 'first');
    await connect(hub, two, 'second');
    for (const name of ['first', 'second'])
      expect(textOf(await hub.call(`${name}__e__echo`, { message: name }))).toBe(name);
    await one[Symbol.asyncDispose]();
    await hub.until(() => hub.stderr.includes('Server "first" cannot be reached') || undefined);
    expect((await instancesOf(hub)).map(({ name }) => name)).toEqual(['two']);
    expect(textOf(await hub.call('second__e__echo', { message: 'still' }))).toBe('still');
    await two[Symbol.asyncDispose]();
  });

  it('A13, H5: that are connected to each other call each other, and nothing goes in circles', async () => {
    await using shared = await SharedWindows.open();
    const [one, two] = await windowsIn(shared);
    await connect(one, two, 'other');
    await connect(two, one, 'other');
    for (const window of [one, two]) {
      await untilListed(window, 'other__e__echo');
      expect(textOf(await window.call('other__e__echo', { message: 'hi' }))).toBe('hi');
      const { result } = await window.request('tools/list');
      const names = ((result?.['tools'] ?? []) as readonly { readonly name: string }[]).map(
        ({ name }) => name,
      );
      expect(names.filter((name) => name.split('__').length > 3)).toEqual([]);
      expect((await serversOf(window)).map(({ name }) => name)).toEqual(['e', 'other']);
    }
    await Promise.all([one, two].map((window) => window[Symbol.asyncDispose]()));
  });
});
