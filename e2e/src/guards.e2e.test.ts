import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { fixtureServer } from './testing/fixture-server.js';
import { RawCli } from './testing/raw-cli.js';

let file = '';
beforeEach(async () => {
  file = join(await mkdtemp(join(tmpdir(), 'mcpmux-e2e-guards-')), 'mcpmux.json');
});
afterEach(() => rm(join(file, '..'), { recursive: true, force: true }));

describe('guards of a config', () => {
  it('A7, A12: hide and refuse what is closed, and what is called too often', async () => {
    const guards = {
      access: { rules: [{ servers: ['mcpmux'] }, { servers: ['e'], tools: ['echo'] }] },
      rateLimit: { perSecond: 0.001, burst: 1, servers: ['e'], by: ['server'] },
    };
    await writeFile(file, JSON.stringify({ mcpServers: {}, guards }));
    await using mcpmux = new RawCli({ args: ['--config', file] });
    await mcpmux.initialize();
    await mcpmux.call('add_server', { name: 'e', ...fixtureServer('echo') });
    const { result } = await mcpmux.request('tools/list');
    expect(JSON.stringify(result)).toContain('"e__echo"');
    expect(JSON.stringify(result)).not.toContain('e__slow_echo');
    const forbidden = await mcpmux.call('e__slow_echo', { message: 'hi', delay_ms: 0 });
    expect(forbidden.error).toMatchObject({ code: -32602, data: { reason: 'forbidden' } });
    const first = await mcpmux.call('e__echo', { message: 'hi' });
    expect(first.result).toMatchObject({ content: [{ text: 'hi' }] });
    const second = await mcpmux.call('e__echo', { message: 'hi' });
    expect(second.error).toMatchObject({ data: { reason: 'rate-limited', server: 'e' } });
  });

  it.each([
    ['as they are', '"guards"'],
    ['with a comment behind their key', '"guards" /* ours */ '],
    ['with an escape in their key', String.raw`"gu\u0061rds"`],
  ])('A6: that cannot be used are never left out, %s: mcpmux does not serve', async (_, key) => {
    await writeFile(file, `{ "mcpServers": {}, ${key}: { "acces": {} } }`);
    await using mcpmux = new RawCli({ args: ['--config', file] });
    mcpmux.write('{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}');
    expect(await mcpmux.ended).toMatchObject({ code: 2 });
    expect(mcpmux.messages).toEqual([]);
  });
});
