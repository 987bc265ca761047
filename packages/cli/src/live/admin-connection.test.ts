import type { Socket } from 'node:net';
import { text as readAll } from 'node:stream/consumers';

import { openPipePair } from '@mcpmux/testing/socket-pair';
import { memoryChannels, StreamChannel, type Channel } from '@mcpmux/wire';
import { expect, it } from 'vitest';

import { AdminConnection, type Administer } from './admin-connection.js';

interface Rig {
  /** The lines that the command gets. */
  readonly answers: string[];
  readonly command: Channel;
  readonly connection: AdminConnection;
}

function rig(administer: Administer): Rig {
  const [command, host] = memoryChannels();
  const connection = new AdminConnection(host, administer);
  host.open(connection);
  const answers: string[] = [];
  command.open({
    line: (line) => void answers.push(line.toString()),
    oversized: () => undefined,
    drained: () => undefined,
    ended: () => undefined,
  });
  return { answers, command, connection };
}

const line = (message: object): Buffer => Buffer.from(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const done: Administer = ({ method }) => Promise.resolve({ result: { method } });
const LIMITS = { maxLineBytes: 1000, highWatermarkBytes: 1000 };

function served(near: Socket, administer: Administer): AdminConnection {
  const channel = new StreamChannel({ input: near, output: near }, LIMITS);
  const connection = new AdminConnection(channel, administer);
  channel.open(connection);
  return connection;
}

it('a request gets one response with its id', async () => {
  const { answers, command } = rig(done);
  command.send(line({ id: 'a "b"', method: 'mcpmux/calls' }));
  command.send(line({ id: 7, method: 'mcpmux/stop', params: {} }));
  await expect.poll(() => answers.length).toBe(2);
  expect(answers.map((answer) => JSON.parse(answer) as unknown)).toEqual([
    { jsonrpc: '2.0', id: 'a "b"', result: { method: 'calls' } },
    { jsonrpc: '2.0', id: 7, result: { method: 'stop' } },
  ]);
});

it('messages that are no request get no response', async () => {
  const { answers, command } = rig(done);
  for (const message of [
    { method: 'mcpmux/stop' },
    { id: null, method: 'mcpmux/stop' },
    { id: 1, result: {} },
  ])
    command.send(line(message));
  command.send(line({ id: 2, method: 'mcpmux/calls' }));
  await expect.poll(() => answers.length).toBe(1);
  expect(JSON.parse(answers.join(''))).toMatchObject({ id: 2 });
});

it.each([
  [{ id: 1, method: 'mcpmux/formatDisk' }, -32_601],
  [{ id: 1, method: 'tools/list' }, -32_601],
  [{ id: 1, method: 'mcpmux/restart', params: { name: 7 } }, -32_602],
])('%j is refused', async (message, code) => {
  const { answers, command } = rig(done);
  command.send(line(message));
  await expect.poll(() => answers.length).toBe(1);
  expect(JSON.parse(answers.join(''))).toMatchObject({ id: 1, error: { code } });
});

it('a refusal has the code of its cause', async () => {
  const refusal = { code: 'SERVER_NOT_FOUND', message: 'There is no server "a".' };
  const { answers, command } = rig(() => Promise.resolve({ refusal }));
  command.send(line({ id: 1, method: 'mcpmux/restart', params: { name: 'a' } }));
  await expect.poll(() => answers.length).toBe(1);
  expect(JSON.parse(answers.join(''))).toMatchObject({
    error: { message: refusal.message, data: { code: refusal.code } },
  });
});

it('a command that sends nothing more still gets its responses', async () => {
  await using pair = await openPipePair();
  let answer = (): void => undefined;
  const connection = served(
    pair.clientEnd,
    () => new Promise((resolve) => (answer = () => resolve({ result: { late: true } }))),
  );
  const left = new Promise<void>((resolve) =>
    connection.disconnectSignal.addEventListener('abort', () => resolve()),
  );
  pair.serverEnd.end(line({ id: 1, method: 'mcpmux/calls' }));
  await left;
  answer();
  expect(await readAll(pair.serverEnd)).toContain('late');
});

it('a command that requests much and reads nothing is not read further', async () => {
  await using pair = await openPipePair();
  let count = 0;
  const connection = served(pair.clientEnd, () => {
    count += 1;
    return new Promise(() => undefined);
  });
  pair.serverEnd.on('error', () => undefined);
  for (let id = 1; id <= 1000; id += 1) pair.serverEnd.write(line({ id, method: 'mcpmux/calls' }));
  await expect.poll(() => pair.clientEnd.isPaused()).toBe(true);
  expect(count).toBeLessThan(300);
  expect(connection.disconnectSignal.aborted).toBe(false);
});

it('work that follows a response begins after it', async () => {
  const { answers, command, connection } = rig(() =>
    Promise.resolve({
      result: {},
      after: () => Promise.resolve(connection.send(line({ method: 'mcpmux/event' }))),
    }),
  );
  command.send(line({ id: 1, method: 'mcpmux/events' }));
  await expect.poll(() => answers.length).toBe(2);
  expect(answers.map((answer) => (JSON.parse(answer) as { method?: string }).method)).toEqual([
    undefined,
    'mcpmux/event',
  ]);
});
