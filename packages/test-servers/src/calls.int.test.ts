import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';

import { ListToolsResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';

import { ODD_TOOL_LIST } from './raw/odd-tool-list.js';
import { RawDriver, textOf } from './testing/raw-driver.js';
import { temporaryFolder } from './testing/temporary-folder.js';

describe('raw-result', () => {
  it('answers raw with the exact bytes of the file', async () => {
    const result = String.raw`{ "content":[],"n":12345678901234567890,"f":1.0,"u":"\u0041","é":-0}`;
    await using folder = await temporaryFolder();
    const file = join(folder.path, 'result.json');
    await writeFile(file, result);
    await using driver = new RawDriver('raw-result', { env: { RAW_RESULT_FILE: file } });
    await driver.call('raw');
    expect(driver.lines).toEqual([`{"jsonrpc":"2.0","id":1,"result":${result}}`]);
  });

  it('answers last_line with the exact bytes of the call before', async () => {
    await using driver = new RawDriver('raw-result');
    await expect(driver.call('last_line')).resolves.toBe('');
    const line = String.raw`{"id" : 7,"method":"tools/call","params":{"x":1.0,"name":"none","u":"\u0041 é"},"jsonrpc":"2.0"}`;
    driver.write(`${line}\n`);
    const bytes = Buffer.from(await driver.call('last_line'), 'base64');
    expect(bytes.toString()).toBe(line);
  });

  it('lists its tools in JSON that no serializer writes', async () => {
    await using driver = new RawDriver('raw-result');
    const { result } = await driver.request('tools/list');
    expect(driver.lines).toEqual([`{"jsonrpc":"2.0","id":1,"result":${ODD_TOOL_LIST}}`]);
    expect(JSON.stringify(result)).not.toBe(ODD_TOOL_LIST);
    expect(ListToolsResultSchema.parse(result).tools.map(({ name }) => name)).toEqual(['raw', 'last_line']);
  });
});

describe('progress', () => {
  it.each(['"token"', '7', '1.0', '"a \\" \\u0041"'])(
    'sends the progress for the token %s and the response in one write',
    async (token) => {
      await using driver = new RawDriver('progress');
      await driver.initialize();
      const params = `{"_meta":{"progressToken":${token}},"name":"count","arguments":{"n":3}}`;
      driver.write(`{"jsonrpc":"2.0","id":"c","method":"tools/call","params":${params}}\n`);
      await driver.reply('c');
      const lines = driver.chunks.at(-1)?.trim().split('\n') ?? [];
      expect(lines).toHaveLength(4);
      expect(lines[0]).toContain(`"progressToken":${token},"progress":1,"total":3`);
      expect(lines[2]).toContain(`"progressToken":${token},"progress":3,"total":3`);
      expect(lines[3]).toContain('"id":"c"');
    },
  );

  it('sends no progress without a token', async () => {
    await using driver = new RawDriver('progress');
    await expect(driver.call('count', { n: 3 })).resolves.toBe('counted to 3');
    expect(driver.lines).toHaveLength(1);
  });
});

describe('cancellable', () => {
  it('answers wait only after it was cancelled and returns the cancellations it got', async () => {
    await using driver = new RawDriver('cancellable');
    const waiting = driver.start('tools/call', { name: 'wait' });
    await expect(driver.call('cancelled')).resolves.toBe('[]');
    driver.send({ method: 'notifications/cancelled', params: { requestId: waiting, reason: 'enough' } });
    driver.send({ method: 'notifications/cancelled', params: { requestId: 'unknown' } });
    await expect(driver.call('cancelled')).resolves.toBe(
      JSON.stringify([{ requestId: waiting, reason: 'enough' }, { requestId: 'unknown' }]),
    );
    const late = await driver.reply(waiting);
    expect(late.result).toEqual({ content: [{ type: 'text', text: 'answered after the cancel' }] });
  });
});

describe('hold-calls', () => {
  it('answers hold when release is called with the same key', async () => {
    await using driver = new RawDriver('hold-calls');
    const [first, second] = ['a', 'b'].map((key) =>
      driver.start('tools/call', { name: 'hold', arguments: { key } }),
    );
    await expect(driver.call('release', { key: 'b' })).resolves.toBe('1');
    await expect(driver.call('release', { key: 'a' })).resolves.toBe('1');
    const answered = driver.lines.map((line) => JSON.parse(line).id);
    expect(answered).toEqual([second, 3, first, 4]);
  });

  it('answers release with 0 when nothing is held', async () => {
    await using driver = new RawDriver('hold-calls');
    await expect(driver.call('release', { key: 'a' })).resolves.toBe('0');
  });
});

describe('server-requests', () => {
  it('sends three requests to its client and returns the answers', async () => {
    await using driver = new RawDriver('server-requests');
    const asking = driver.start('tools/call', { name: 'ask' });
    const outcomes = { ping: { result: {} }, 'roots/list': { result: { roots: [] } } };
    const unknown = { error: { code: -32601, message: 'unknown method' } };
    const asked = ['x-vendor/unknown', 'roots/list', 'ping'] as const;
    for (const method of asked) {
      const { id } = await driver.message((message) => message.method === method);
      driver.send({ id, ...(method === 'x-vendor/unknown' ? unknown : outcomes[method]) });
    }
    expect(JSON.parse(textOf(await driver.reply(asking)))).toEqual([
      { method: 'ping', ...outcomes.ping },
      { method: 'roots/list', ...outcomes['roots/list'] },
      { method: 'x-vendor/unknown', ...unknown },
    ]);
  });
});

describe('env-dump', () => {
  it('returns its environment and working directory', async () => {
    await using driver = new RawDriver('env-dump', { env: { MARKER: 'a=b\nc' } });
    const dump: { env: Record<string, string>; cwd: string } = JSON.parse(await driver.call('env'));
    expect(dump.env['MARKER']).toBe('a=b\nc');
    expect(dump.cwd).toBe(process.cwd());
  });
});
