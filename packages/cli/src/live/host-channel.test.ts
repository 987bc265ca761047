import { text as readAll } from 'node:stream/consumers';

import { pipePair } from '@mcpmux/testing/socket-pair';
import { memoryChannels, StreamChannel, type Channel } from '@mcpmux/wire';
import { expect, it } from 'vitest';

import { HostChannel, type Administer } from './host-channel.js';

interface Rig {
  /** The lines that the session of the command gets. */
  readonly session: string[];
  /** The lines that the command gets. */
  readonly answers: string[];
  readonly command: Channel;
  readonly channel: HostChannel;
}

function rig(administer: Administer): Rig {
  const [command, host] = memoryChannels();
  const channel = new HostChannel(host, administer);
  const session: string[] = [];
  const answers: string[] = [];
  channel.open({
    line: (line) => void session.push(line.toString()),
    oversized: () => undefined,
    drained: () => undefined,
    ended: () => void channel.end(),
  });
  command.open({
    line: (line) => void answers.push(line.toString()),
    oversized: () => undefined,
    drained: () => undefined,
    ended: () => undefined,
  });
  return { session, answers, command, channel };
}

const line = (message: object): Buffer => Buffer.from(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const done: Administer = ({ method }) => Promise.resolve({ result: { method } });

it('a request for administration gets one response with its id, and does not reach the session', async () => {
  const { session, answers, command } = rig(done);
  command.send(line({ id: 'a "b"', method: 'mcpmux/calls' }));
  command.send(line({ id: 7, method: 'mcpmux/stop', params: {} }));
  await expect.poll(() => answers.length).toBe(2);
  expect(answers.map((text) => JSON.parse(text) as unknown)).toEqual([
    { jsonrpc: '2.0', id: 'a "b"', result: { method: 'calls' } },
    { jsonrpc: '2.0', id: 7, result: { method: 'stop' } },
  ]);
  expect(session).toEqual([]);
});

it.each([
  { id: 1, method: 'tools/call', params: { name: 'a', arguments: { text: '"mcpmux/stop"' } } },
  { id: 1, method: 'tools/call', params: { method: 'mcpmux/stop' } },
  { method: 'mcpmux/stop' },
  { id: null, method: 'mcpmux/stop' },
  { id: 1, result: { method: 'mcpmux/stop' } },
])('%j belongs to the session', async (message) => {
  const { session, answers, command } = rig(done);
  command.send(line(message));
  await expect.poll(() => session.length).toBe(1);
  expect(JSON.parse(session.join(''))).toEqual({ jsonrpc: '2.0', ...message });
  expect(answers).toEqual([]);
});

it.each([
  [{ id: 1, method: 'mcpmux/formatDisk' }, -32_601],
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
  await using pair = await pipePair();
  let answer = (): void => undefined;
  const streams = new StreamChannel(
    { input: pair.near, output: pair.near },
    { maxLineBytes: 1000, highWatermarkBytes: 1000 },
  );
  const channel = new HostChannel(
    streams,
    () => new Promise((resolve) => (answer = () => resolve({ result: { late: true } }))),
  );
  const ended = new Promise<void>((resolve) =>
    channel.open({
      line: () => undefined,
      oversized: () => undefined,
      drained: () => undefined,
      ended: () => {
        void channel.end();
        resolve();
      },
    }),
  );
  pair.far.end(line({ id: 1, method: 'mcpmux/calls' }));
  await ended;
  answer();
  expect(await readAll(pair.far)).toContain('late');
});

it('work that follows a response begins after it', async () => {
  const { answers, command, channel } = rig(() =>
    Promise.resolve({ result: {}, after: () => channel.send(line({ method: 'mcpmux/event' })) }),
  );
  command.send(line({ id: 1, method: 'mcpmux/events' }));
  await expect.poll(() => answers.length).toBe(2);
  expect(answers.map((text) => (JSON.parse(text) as { method?: string }).method)).toEqual([
    undefined,
    'mcpmux/event',
  ]);
});
