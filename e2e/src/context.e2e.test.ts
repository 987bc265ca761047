import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { fixtureServer } from './testing/fixture-server.js';
import { RawCli } from './testing/raw-cli.js';
import { textOf } from './testing/tool-response.js';

const MEGABYTE = 1024 * 1024;
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz';
const HANDLE = /"handle": "([\da-f-]+)"/;

let folder = '';
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'mcpmux-e2e-context-')));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** mcpmux with a config, whose servers run. */
async function started(config: object, args: readonly string[] = []): Promise<RawCli> {
  const file = join(folder, 'mcpmux.json');
  await writeFile(file, JSON.stringify(config));
  const mcpmux = new RawCli({
    args: ['--config', file, '--wait-for-servers', ...args],
    cwd: folder,
    env: { XDG_STATE_HOME: folder },
  });
  await mcpmux.initialize();
  // Waits for the servers.
  await listed(mcpmux);
  return mcpmux;
}

async function listed(mcpmux: RawCli): Promise<readonly string[]> {
  const { result } = await mcpmux.request('tools/list');
  return (result as { readonly tools: readonly { readonly name: string }[] }).tools.map(({ name }) => name);
}

/** Searches as the answer advises: again, while a server is starting. */
async function found(mcpmux: RawCli, query: string): Promise<string> {
  for (;;) {
    const answer = textOf(await mcpmux.call('search_tools', { query, detail: 'name' }));
    if (!answer.includes('"starting"')) return answer;
  }
}

const ECHO = { mcpServers: { e: fixtureServer('echo') } };

describe('the context of a client’s model', () => {
  it('has only search_tools and call_tool of mcpmux with --tools minimal, and all others can be called', async () => {
    await using mcpmux = await started(ECHO, ['--tools', 'minimal']);
    const names = await listed(mcpmux);
    expect(names.filter((name) => !name.includes('__'))).toEqual(['call_tool', 'search_tools']);
    expect(names).toContain('e__echo');
    expect(textOf(await mcpmux.call('call_tool', { name: 'list_servers', arguments: {} }))).toContain('"e"');
  });

  it('has no tool of a server with --exposure search; each is found and called', async () => {
    await using mcpmux = await started(ECHO, ['--exposure', 'search']);
    expect(await listed(mcpmux)).toEqual(['call_tool', 'search_tools']);
    expect(await found(mcpmux, 'echo')).toContain('e__echo');
    const answer = await mcpmux.call('call_tool', { name: 'e__echo', arguments: { message: 'found' } });
    expect(textOf(answer)).toBe('found');
  });

  it('begins with the tools that were used most before a restart', async () => {
    const config = { ...ECHO, mux: { exposure: { mode: 'auto', tools: 'minimal', budget: 20_000 } } };
    const first = await started(config);
    for (const message of ['a', 'b', 'c']) await first.call('e__echo', { message });
    expect(textOf(await first.call('call_tool', { name: 'list_servers', arguments: {} }))).toContain(
      '"most_used":{"e__echo":3}',
    );
    first.child.stdin.end();
    await first.ended;
    await using second = await started(config);
    const status = textOf(await second.call('call_tool', { name: 'list_servers', arguments: {} }));
    expect(status).toContain('"most_used":{"e__echo":3}');
  });

  it('gets results of 50 MB as a handle, and reads all of it by pages', async () => {
    const config = {
      mcpServers: { o: fixtureServer('oversized') },
      guards: { largeResults: { tokens: 500_000 } },
    };
    await using mcpmux = await started(config, ['--max-message', '64']);
    const bytes = 50 * MEGABYTE;
    const whole = await mcpmux.call('o__big', { bytes });
    expect(JSON.stringify(whole).length).toBeLessThan(MEGABYTE);
    const handle = HANDLE.exec(textOf(whole))?.[1];
    let read = '';
    for (let page = 1, pages = 1; page <= pages; page += 1) {
      const [where = '', ...rest] = textOf(await mcpmux.call('read_result', { handle, page })).split('\n');
      pages = Number(/of (\d+)/.exec(where)?.[1]);
      read += rest.join('\n');
    }
    expect(read.length).toBe(bytes);
    expect(read.slice(-26)).toBe(`${ALPHABET}${ALPHABET}`.slice(bytes % 26, (bytes % 26) + 26));
    const { error } = await mcpmux.call('o__big', { bytes: 65_000_000 });
    expect(error?.message).toContain('above the limit of 64000000');
  });

  it('is spared of results of 50 MB while other calls go on', async () => {
    const servers = { o: fixtureServer('oversized'), e: fixtureServer('echo') };
    const config = { mcpServers: servers, guards: { largeResults: {} } };
    await using mcpmux = await started(config, ['--max-message', '64']);
    const answered: number[] = [];
    for (let round = 0; round < 3; round += 1) {
      const over = new AbortController();
      const large = mcpmux.call('o__big', { bytes: 50 * MEGABYTE }).finally(() => over.abort());
      let calls = 0;
      for (; !over.signal.aborted; calls += 1) await mcpmux.call('e__echo', { message: 'x' });
      await large;
      answered.push(calls);
    }
    // one, where a large result holds up the others; hundreds on an idle machine
    expect(Math.min(...answered)).toBeGreaterThan(30);
  });

  it('gets run_code with --code-mode, which calls tools of servers', async () => {
    await using mcpmux = await started(ECHO, ['--code-mode']);
    expect(await listed(mcpmux)).toContain('run_code');
    const code = 'const { text } = await tools.e.echo({ message: "hi" }); return text + "!"';
    expect(textOf(await mcpmux.call('run_code', { code }))).toBe('hi!');
  });

  it('gets run_code when the config says so, without a restart', async () => {
    await using mcpmux = await started({ ...ECHO, mux: { codeMode: { computeMs: 500 } } });
    expect(textOf(await mcpmux.call('run_code', { code: 'for (;;);' }))).toContain(
      'computed for more than 500 ms',
    );
    expect(textOf(await mcpmux.call('e__echo', { message: 'still here' }))).toBe('still here');
  });
});
