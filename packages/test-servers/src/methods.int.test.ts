import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { RawDriver, textsOf } from './testing/raw-driver.js';
import { temporaryFolder } from './testing/temporary-folder.js';

describe('resources-many', () => {
  it('lists and reads the resources in its arguments, and says whose they are', async () => {
    await using driver = new RawDriver('resources-many', {
      args: ['memo:///a', 'memo:///b'],
      env: { RESOURCES_LABEL: 'left' },
    });
    const { result } = await driver.request('resources/list');
    expect(result).toMatchObject({ resources: [{ uri: 'memo:///a' }, { uri: 'memo:///b' }] });
    const read = await driver.request('resources/read', { uri: 'memo:///b' });
    expect(read.result).toMatchObject({ contents: [{ text: 'left: memo:///b' }] });
    const templated = await driver.request('resources/read', { uri: 'template:///x' });
    expect(templated.result).toMatchObject({ contents: [{ uri: 'template:///x' }] });
    const unknown = await driver.request('resources/read', { uri: 'memo:///c' });
    expect(unknown.error?.code).toBe(-32002);
  });

  it('tells subscribers of a change below their resource, and nobody else', async () => {
    await using driver = new RawDriver('resources-many');
    const touched = { uri: 'memo:///folder/file' };
    await expect(driver.call('touch', touched)).resolves.toBe('nobody subscribed');
    await driver.request('resources/subscribe', { uri: 'memo:///folder' });
    await expect(driver.call('subscriptions')).resolves.toBe('["memo:///folder"]');
    await expect(driver.call('touch', touched)).resolves.toBe('updated');
    await driver.request('resources/unsubscribe', { uri: 'memo:///folder' });
    await expect(driver.call('touch', touched)).resolves.toBe('nobody subscribed');
    const updates = driver.lines.filter((line) => line.includes('resources/updated'));
    expect(updates).toEqual([expect.stringContaining('"uri":"memo:///folder/file"')]);
  });

  it('links resources, and announces one that is added', async () => {
    await using driver = new RawDriver('resources-many');
    const { result } = await driver.request('tools/call', {
      name: 'link',
      arguments: { uri: 'memo:///one' },
    });
    expect(result?.content).toMatchObject([{ type: 'resource_link' }, { resource: { uri: 'memo:///one' } }]);
    await driver.call('add_resource', { uri: 'memo:///new' });
    await driver.message(({ method }) => method === 'notifications/resources/list_changed');
  });
});

describe('prompts-many', () => {
  it('lists, gets and completes prompts, and announces one that is added', async () => {
    await using driver = new RawDriver('prompts-many', { args: ['hail'] });
    await driver.call('add_prompt', { name: 'bow' });
    await driver.message(({ method }) => method === 'notifications/prompts/list_changed');
    await expect(driver.call('names')).resolves.toBe('hail,bow');
    const { result } = await driver.request('prompts/list');
    expect(result).toMatchObject({ prompts: [{ name: 'hail' }, { name: 'bow' }] });
    const got = await driver.request('prompts/get', { name: 'bow', arguments: { subject: 'all' } });
    expect(got.result).toMatchObject({ messages: [{ content: { text: 'bow, all' } }] });
    for (const ref of [
      { type: 'ref/prompt', name: 'hail' },
      { type: 'ref/resource', uri: 'paint:///{colour}' },
    ]) {
      const argument = { name: 'subject', value: 'r' };
      const completed = await driver.request('completion/complete', { ref, argument });
      expect(completed.result).toMatchObject({ completion: { values: ['red', 'rose'] } });
    }
  });
});

describe('logging', () => {
  it('sends messages from the level on that it was set to', async () => {
    await using driver = new RawDriver('logging');
    await driver.request('logging/setLevel', { level: 'alert' });
    await driver.call('log_all');
    await driver.call('log', { level: 'emergency', logger: 'db', data: { n: 1 } });
    await expect(driver.call('levels')).resolves.toBe('["alert"]');
    const logged = driver.lines.filter((line) => line.includes('notifications/message'));
    expect(logged.map((line) => JSON.parse(line).params)).toEqual([
      { level: 'alert', data: 'one alert' },
      { level: 'emergency', data: 'one emergency' },
      { level: 'emergency', logger: 'db', data: { n: 1 } },
    ]);
  });
});

describe('unknowns', () => {
  it('answers an unknown method with the line it got, and remembers unknown notifications', async () => {
    await using driver = new RawDriver('unknowns');
    const line = '{"id":"u","method":"x/y" ,"params":{"n":1.0},"jsonrpc":"2.0"}';
    driver.write(`${line}\n`);
    expect((await driver.reply('u')).result).toEqual({ received: line });
    driver.send({ method: 'notifications/x', params: { k: 1 } });
    const heard = await driver.request('tools/call', { name: 'heard' });
    expect(textsOf(heard)).toEqual([line, expect.stringContaining('"method":"notifications/x"')]);
    await expect(driver.call('forget')).resolves.toBe('2');
  });

  it('shout sends a notification and fields that no specification has', async () => {
    await using driver = new RawDriver('unknowns');
    const { result } = await driver.request('tools/call', { name: 'shout' });
    expect(result).toMatchObject({ 'x-result': { kept: true } });
    expect(driver.lines[0]).toContain('"nested":{"list":[null,true]}');
  });
});

describe('requests-log', () => {
  it('answers any method with the exact bytes of the file and returns every line it got', async () => {
    const bytes = '{ "n":12345678901234567890,"f":1.0 }';
    await using folder = await temporaryFolder();
    const file = join(folder.path, 'result.json');
    await writeFile(file, bytes);
    await using driver = new RawDriver('requests-log', { env: { RAW_RESULT_FILE: file } });
    const line = '{"id":"r", "method":"prompts/get","params":{"name":"one","x":1.0},"jsonrpc":"2.0"}';
    driver.write(`${line}\n`);
    await driver.reply('r');
    expect(driver.lines).toEqual([`{"jsonrpc":"2.0","id":"r","result":${bytes}}`]);
    expect(textsOf(await driver.request('tools/call', { name: 'received' }))[0]).toBe(line);
    await expect(driver.call('forget')).resolves.toBe('3');
  });

  it('emits a line as it is', async () => {
    await using driver = new RawDriver('requests-log');
    const line = '{"method":"notifications/x","params":{"n":1.0},"jsonrpc":"2.0"}';
    await driver.call('emit', { line });
    expect(driver.lines[0]).toBe(line);
  });
});
