import process from 'node:process';

import { fixtureCommand } from '@mcpmux/test-servers';
import { expect, it } from 'vitest';

import { MuxRig, textOf } from '../testing/mux-rig.js';

/** A server as a program for Node.js: it answers the handshake with the usual, once `before` has run. */
function scripted(before: string, onMessage = ''): { readonly command: string; readonly args: string[] } {
  const program = `
    const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
    const results = {
      initialize: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } },
      'tools/list': { tools: [{ name: 'said', inputSchema: { type: 'object' } }] },
    };
    const heard = [];
    ${before}
    require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const message = JSON.parse(line);
      heard.push(message);
      ${onMessage}
      if (message.method in results) send({ id: message.id, result: results[message.method] });
      if (message.method === 'tools/call')
        send({ id: message.id, result: { content: [{ type: 'text', text: JSON.stringify(heard) }] } });
    });`;
  return { command: process.execPath, args: ['-e', program] };
}

it('fault A6: a server that speaks before it is initialized is refused its requests; its log comes when it is, under its name', async () => {
  await using rig = await MuxRig.open();
  const early = scripted(`
    send({ id: 'p', method: 'ping' });
    send({ id: 's', method: 'sampling/createMessage', params: {} });
    send({ method: 'notifications/message', params: { level: 'info', data: 'hello' } });`);
  await rig.client.manage('add_server', { name: 'early', ...early });
  const said = textOf((await rig.client.call('early__said')).result);
  expect(JSON.parse(said)).toEqual(
    expect.arrayContaining([
      { jsonrpc: '2.0', id: 'p', result: {} },
      { jsonrpc: '2.0', id: 's', error: expect.objectContaining({ code: -32_600 }) },
    ]),
  );
  const logs = rig.client.lines.filter((line) => line.includes('hello'));
  expect(logs).toEqual([
    '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","logger":"early","data":"hello"}}',
  ]);
});

it('fault A7: a second answer to initialize changes nothing', async () => {
  await using rig = await MuxRig.open();
  const twice = scripted(
    '',
    `if (message.method === 'initialize') send({ id: message.id, error: { code: 1, message: 'no' } });
     if (message.method === 'tools/list') send({ id: 1, result: {} });`,
  );
  const [first] = await Promise.allSettled([rig.client.manage('add_server', { name: 'twice', ...twice })]);
  expect(first).toMatchObject({ status: 'rejected' });
  const late = scripted('', `if (message.method === 'tools/list') send({ id: 1, result: {} });`);
  await rig.client.manage('add_server', { name: 'late', ...late });
  expect(rig.status('late')).toMatchObject({ status: 'running', dropped_lines: 1 });
});

it('C10: a server that closes its stderr goes on', async () => {
  await using rig = await MuxRig.open();
  await rig.client.manage('add_server', { name: 'mute', ...scripted('require("node:fs").closeSync(2);') });
  expect(textOf((await rig.client.call('mute__said')).result)).toContain('tools/call');
});

it('C3: a server that reads nothing any more is stopped, and its callers are told', async () => {
  await using rig = await MuxRig.open({}, {}, { limits: { stallMs: 300 } });
  await rig.add('deaf', 'faulty');
  const stopped = rig.client.call('deaf__stop_reading', { nonce: 'a', n: 0 });
  const sent = rig.client.call('deaf__echo', { nonce: 'x'.repeat(4_000_000), n: 0 });
  for (const { result } of await Promise.all([stopped, sent])) {
    expect(textOf(result)).toMatch(/over its stdin: it has read nothing for 0\.3 s while \d+ bytes wait/);
  }
  await rig.allGone();
});

it('D6: a call that is cancelled ends neither the server nor another call', async () => {
  await using rig = await MuxRig.open();
  await rig.add('held', 'hold-calls');
  const pid = rig.pid('held');
  const other = rig.client.call('held__hold', { key: 'b' });
  const call = { name: 'held__hold', arguments: { key: 'a' } };
  rig.client.send(JSON.stringify({ jsonrpc: '2.0', id: 77, method: 'tools/call', params: call }));
  rig.client.send('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":77}}');
  await rig.client.call('held__release', { key: 'b' });
  await expect(other).resolves.toHaveProperty('result');
  expect(rig.pid('held')).toBe(pid);
});

it('G9: a tool that says it is harmless is called like any other, and one that says it is not, too', async () => {
  await using rig = await MuxRig.open();
  const annotated = scripted(
    `results['tools/list'].tools[0].annotations = { readOnlyHint: true, destructiveHint: true };`,
  );
  const { tools } = await rig.client.manage('add_server', { name: 'liar', ...annotated });
  expect(tools).toMatchObject([{ annotations: { readOnlyHint: true, destructiveHint: true } }]);
  await expect(rig.client.call('liar__said')).resolves.toHaveProperty('result');
});

it('fault H2: the environment of one server is not part of that of another', async () => {
  await using rig = await MuxRig.open();
  const dump = fixtureCommand('env-dump');
  await rig.client.manage('add_server', { name: 'one', ...dump, env: { TOKEN_OF_ONE: 'canary-one' } });
  await rig.client.manage('add_server', { name: 'two', ...dump, env: { TOKEN_OF_TWO: 'canary-two' } });
  const seen = await Promise.all(
    ['one', 'two'].map(async (name) => JSON.stringify((await rig.client.call(`${name}__env`)).result)),
  );
  expect(seen.map((text) => ['canary-one', 'canary-two'].map((canary) => text.includes(canary)))).toEqual([
    [true, false],
    [false, true],
  ]);
});

it('fault H1: a server that inherits only what is safe has none of the secrets of its host', async () => {
  await using rig = await MuxRig.open({}, { AWS_SECRET_ACCESS_KEY: 'canary-of-the-host' });
  const env = { LIFELINE: rig.lifeline.address };
  for (const inheritEnv of ['all', 'safe'] as const) {
    await rig.mux.addServer(inheritEnv, { ...fixtureCommand('env-dump'), env, inheritEnv });
  }
  const seen = await Promise.all(
    ['all', 'safe'].map(async (name) => textOf((await rig.client.call(`${name}__env`)).result)),
  );
  expect(seen.map((text) => text.includes('canary-of-the-host'))).toEqual([true, false]);
  expect(seen[1]).toContain('PATH');
});

it('fault H4: a value of env that a server writes to stderr is in no log, no event and no answer', async () => {
  await using rig = await MuxRig.open();
  const events = rig.mux.events();
  const canary = 'canary/5f1c9d';
  const talker = scripted(`
    console.error('token is', process.env.TOKEN, Buffer.from(process.env.TOKEN).toString('base64'));
    process.exit(3);`);
  const failed = await rig.client.call('add_server', { name: 'talker', ...talker, env: { TOKEN: canary } });
  await rig.mux.close();
  const said: unknown[] = [failed, rig.logger.records];
  for await (const event of events) said.push(event);
  const text = JSON.stringify(said);
  expect(text).toContain('token is [redacted] [redacted]');
  for (const form of [canary, Buffer.from(canary).toString('base64')]) expect(text).not.toContain(form);
});

it('B12: a server that answers in batches is understood', async () => {
  await using rig = await MuxRig.open();
  const batching = scripted(`
    const write = process.stdout.write.bind(process.stdout);
    const waiting = [];
    process.stdout.write = (text) => {
      waiting.push(text.trim());
      if (waiting.length === 1) setImmediate(() => write('[' + waiting.splice(0).join(' , ') + ']\\n'));
      return true;
    };`);
  await rig.client.manage('add_server', { name: 'batching', ...batching });
  const calls = await Promise.all([1, 2, 3].map(() => rig.client.call('batching__said')));
  for (const { result } of calls) expect(textOf(result)).toContain('tools/call');
  expect(rig.status('batching').dropped_lines).toBe(0);
});

it('C8: a server that floods loses log messages and no answer, and is asked for its lists a few times', async () => {
  await using rig = await MuxRig.open();
  const flooding = scripted(
    '',
    `if (message.method === 'tools/call')
       for (let sent = 0; sent < 20_000; sent += 1) {
         send({ method: 'notifications/message', params: { level: 'info', data: sent } });
         send({ method: 'notifications/tools/list_changed' });
       }`,
  );
  await rig.client.manage('add_server', { name: 'flooding', ...flooding });
  await rig.client.listChanged(1);
  await rig.client.call('flooding__said');
  const heard = JSON.parse(textOf((await rig.client.call('flooding__said')).result)) as { method: string }[];
  expect(heard.filter(({ method }) => method === 'tools/list').length).toBeLessThan(50);
  const passed = rig.client.count('notifications/message');
  expect(passed).toBeGreaterThanOrEqual(1000);
  expect(rig.status('flooding')).toMatchObject({ status: 'running', dropped_notifications: 40_000 - passed });
  expect(rig.client.count('notifications/tools/list_changed')).toBe(1);
});
