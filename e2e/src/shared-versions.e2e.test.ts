import { join } from 'node:path';

import { describe, expect, it, vi } from 'vitest';

import { fixtureServer } from './testing/fixture-server.js';
import { otherVersion } from './testing/other-version.js';
import type { RawCli } from './testing/raw-cli.js';
import { serversOf, SharedWindows, untilListed } from './testing/shared-windows.js';
import { textOf } from './testing/tool-response.js';

const FOR_ALL = { mux: { shared: true } };
const echo = { ...fixtureServer('echo'), ...FOR_ALL };
const WAIT = { timeout: 15_000 };

/** The commands of two versions. */
async function versionsIn(shared: SharedWindows): Promise<{ readonly old: string; readonly next: string }> {
  const [old, next] = await Promise.all(
    ['0.0.1', '999.0.0'].map((version) => otherVersion(join(shared.folder, version), version)),
  );
  return { old: old ?? '', next: next ?? '' };
}

async function versionOf(window: RawCli, capabilities: object = {}): Promise<unknown> {
  const { result } = await window.request('initialize', {
    protocolVersion: '2025-11-25',
    capabilities,
    clientInfo: { name: 'raw', version: '1' },
  });
  return (result?.['serverInfo'] as { readonly version: string } | undefined)?.version;
}

/** Calls without a pause, several at a time, until `over` is aborted. Resolves with what was not answered as it should be. */
async function caller(window: RawCli, name: string, over: AbortSignal): Promise<readonly unknown[]> {
  const wrong: unknown[] = [];
  let n = 0;
  const one = async (): Promise<void> => {
    while (!over.aborted) {
      n += 1;
      const message = `${name} ${n}`;
      const response = await window.request(
        'tools/call',
        { name: 'e__echo', arguments: { message } },
        `${n}`,
      );
      if (textOf(response) !== message) wrong.push(response);
    }
  };
  await Promise.all(Array.from({ length: 8 }, one));
  const ids = window.messages.flatMap(({ id, method }) => (method === undefined ? [id] : []));
  return [...wrong, ...ids.filter((id, at) => ids.indexOf(id) !== at)];
}

describe('a shared process of an older version', () => {
  it('A13: hands over to the later one, and no call of its windows is lost', async () => {
    await using shared = await SharedWindows.open({ e: echo });
    const { old, next } = await versionsIn(shared);
    const windows = await Promise.all([shared.window({ cli: old }), shared.window({ cli: old })]);
    await Promise.all(windows.map((window) => untilListed(window, 'e__echo')));
    const before = await shared.processes();
    const over = new AbortController();
    const calls = windows.map((window, at) => caller(window, `window ${at}`, over.signal));
    await vi.waitUntil(() => windows.every(({ messages }) => messages.length > 200), WAIT);
    await using later = await shared.window({ cli: next });
    expect(await versionOf(later)).toBe('999.0.0');
    await vi.waitUntil(async () => (await serversOf(later))[0]?.windows === 3, WAIT);
    const [now, ...more] = await shared.processes();
    expect(more).toEqual([]);
    expect(before).not.toContain(now);
    const counts = windows.map(({ messages }) => messages.length);
    await vi.waitUntil(
      () => windows.every(({ messages }, at) => messages.length > (counts[at] ?? 0) + 100),
      WAIT,
    );
    over.abort();
    expect(await Promise.all(calls)).toEqual([[], []]);
    await Promise.all(windows.map((window) => window[Symbol.asyncDispose]()));
  });

  it('A13: ends the calls that it has, beside the later one, which gets new calls', async () => {
    await using shared = await SharedWindows.open({
      e: echo,
      asks: { ...fixtureServer('interactive'), ...FOR_ALL },
    });
    const { old, next } = await versionsIn(shared);
    await using window = shared.start({ cli: old });
    await versionOf(window, { roots: {} });
    window.write('{"jsonrpc":"2.0","method":"notifications/initialized"}');
    await untilListed(window, 'asks__ask');
    const asked = window.call('asks__ask', { method: 'roots/list', params: {} });
    const { id } = await window.until(() => window.messages.find(({ method }) => method === 'roots/list'));
    const before = new Set((await shared.lifeline.waitForAlive(1)).map(({ pid }) => pid));
    await using later = await shared.window({ cli: next });
    await vi.waitUntil(async () => (await serversOf(later))[0]?.windows === 2, WAIT);
    expect(textOf(await window.call('e__echo', { message: 'new' }))).toBe('new');
    expect(shared.lifeline.alive.filter(({ pid }) => before.has(pid))).toHaveLength(before.size);
    // The answer goes to the process that has asked.
    window.write(JSON.stringify({ jsonrpc: '2.0', id, result: { roots: [{ uri: 'file:///nonce' }] } }));
    expect(textOf(await asked)).toContain('file:///nonce');
    await expect.poll(() => shared.lifeline.alive.filter(({ pid }) => before.has(pid))).toEqual([]);
    expect(shared.lifeline.alive).toHaveLength(before.size);
  });

  it('A13: serves windows of an older version, too', async () => {
    await using shared = await SharedWindows.open({ e: echo });
    const { old, next } = await versionsIn(shared);
    await using later = await shared.window({ cli: next });
    await using earlier = await shared.window({ cli: old });
    expect(await versionOf(earlier)).toBe('999.0.0');
    expect(await versionOf(later)).toBe('999.0.0');
    expect(await shared.processes()).toHaveLength(1);
  });
});
