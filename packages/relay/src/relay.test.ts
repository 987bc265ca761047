import { Duplex, PassThrough } from 'node:stream';
import type { Socket } from 'node:net';

import { forEachLine } from '@mcpmux/testing/each-line';
import { describe, expect, it, vi } from 'vitest';

import { Relay, type RelayEnd } from './relay.js';

/** The far end of a connection: a shared process. */
class FakeProcess {
  readonly lines: string[] = [];
  /** The relay sends no more. */
  isOver = false;
  private readonly toRelay = new PassThrough();
  private readonly fromRelay = new PassThrough();
  readonly socket: Socket;

  constructor() {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the relay uses a socket as a stream alone
    this.socket = Duplex.from({ readable: this.toRelay, writable: this.fromRelay }) as Socket;
    forEachLine(this.fromRelay, (line) => this.lines.push(line));
    this.fromRelay.on('end', () => {
      this.isOver = true;
      this.toRelay.end();
    });
  }

  say(text: string): void {
    this.toRelay.write(text);
  }

  end(): void {
    this.toRelay.end();
  }
}

class Rig {
  readonly processes: FakeProcess[] = [];
  readonly lines: string[] = [];
  readonly input = new PassThrough();
  readonly output = new PassThrough();
  readonly ended: Promise<RelayEnd>;
  /** The servers that each process was told of. */
  readonly brought: (readonly unknown[])[] = [];
  /** The next process runs. */
  isReady: Promise<void> | undefined;
  isStopped = false;
  restarts = 0;

  constructor(maxRestarts = 5) {
    forEachLine(this.output, (line) => this.lines.push(line));
    const relay = new Relay({
      client: { input: this.input, output: this.output },
      connect: async ({ epoch, added }) => {
        await this.isReady;
        const process = new FakeProcess();
        process.lines.push(`hello ${epoch}`);
        this.processes.push(process);
        this.brought.push(added);
        return process.socket;
      },
      nextPauseMs: () => ((this.restarts += 1) <= maxRestarts ? 0 : undefined),
      wasStopped: () => this.isStopped,
    });
    this.ended = relay.run();
  }

  /** The process of that number, once the relay has greeted it. */
  async process(index: number): Promise<FakeProcess> {
    await vi.waitUntil(() => this.processes[index]?.lines[0] === `hello ${index}`);
    const process = this.processes[index];
    if (process === undefined) throw new Error('there is no such process');
    return process;
  }

  send(message: object): void {
    this.input.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }
}

const answered = (id: number | string, result: object = {}): string =>
  `${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`;

describe('a relay', () => {
  it('passes lines in both directions as they are, and ends with its client', async () => {
    const rig = new Rig();
    const process = await rig.process(0);
    rig.input.write('{ "jsonrpc":"2.0", "id":1.0,"method":"ping" }\n{"id":');
    await expect.poll(() => process.lines[1]).toBe('{ "jsonrpc":"2.0", "id":1.0,"method":"ping" }');
    process.say('{"jsonrpc":"2.0","id":1,"res');
    process.say('ult":{"a":  1}}\n');
    await expect.poll(() => rig.lines).toEqual(['{"jsonrpc":"2.0","id":1,"result":{"a":  1}}']);
    rig.input.end('2,"method":"ping","jsonrpc":"2.0"}');
    await expect.poll(() => process.lines[2]).toBe('{"id":2,"method":"ping","jsonrpc":"2.0"}');
    expect(await rig.ended).toBe('client gone');
  });

  it('answers each open request once when the process ends, but not those that were answered or cancelled', async () => {
    const rig = new Rig();
    const process = await rig.process(0);
    for (const id of [1, 2, 3]) rig.send({ id, method: 'ping' });
    rig.input.write('[{"jsonrpc":"2.0","id":"batched","method":"ping"}]\n');
    rig.send({ method: 'notifications/cancelled', params: { requestId: 2 } });
    await expect.poll(() => process.lines).toHaveLength(6);
    process.say(answered(1));
    process.say('{"jsonrpc":"2.0","id":"q","method":"roots/list"}\n{"jsonrpc":"2.0","id":3,"resu');
    process.end();
    await rig.process(1);
    const messages = rig.lines.map((line) => JSON.parse(line) as { id?: unknown; error?: object });
    expect(messages.filter(({ error }) => error !== undefined).map(({ id }) => id)).toEqual([3, 'batched']);
    expect(rig.lines.at(-1)).toContain('"requestId":"q"');
    expect(rig.lines).toHaveLength(5);
  });

  it.each(['{"jsonrpc":"2.0","id":1,"result":{"a":', '{"result":{"a":{},"jsonrpc":"2.0","id":1}'])(
    'does not pass on the beginning of a line whose process has ended: %s',
    async (text) => {
      const rig = new Rig();
      const process = await rig.process(0);
      rig.send({ id: 1, method: 'tools/call', params: { name: 'a' } });
      await expect.poll(() => process.lines).toHaveLength(2);
      process.say(text);
      process.end();
      await rig.process(1);
      await expect.poll(() => rig.lines).toHaveLength(1);
      expect(JSON.parse(rig.lines[0] ?? '')).toMatchObject({ id: 1, error: {} });
    },
  );

  it('tells the next process who the client is, and the client nothing of that', async () => {
    const rig = new Rig();
    const first = await rig.process(0);
    rig.send({ id: 'i', method: 'initialize', params: { a: 1 } });
    await expect.poll(() => first.lines).toHaveLength(2);
    first.say(answered('i', { serverInfo: {} }));
    await expect.poll(() => rig.lines).toHaveLength(1);
    rig.send({ method: 'notifications/initialized' });
    rig.send({ id: 5, method: 'logging/setLevel', params: { level: 'error' } });
    rig.send({ id: 6, method: 'resources/subscribe', params: { uri: 'a:b' } });
    rig.send({ id: 7, method: 'resources/subscribe', params: { uri: 'c:d' } });
    rig.send({ id: 8, method: 'resources/unsubscribe', params: { uri: 'c:d' } });
    await expect.poll(() => first.lines).toHaveLength(7);
    for (const id of [5, 6, 7, 8]) first.say(answered(id));
    await expect.poll(() => rig.lines).toHaveLength(5);
    first.end();
    const second = await rig.process(1);
    await expect.poll(() => second.lines).toHaveLength(5);
    const again = second.lines.slice(1).map((line) => JSON.parse(line) as { id?: string; method: string });
    expect(again.map(({ method }) => method)).toEqual([
      'initialize',
      'notifications/initialized',
      'logging/setLevel',
      'resources/subscribe',
    ]);
    expect(second.lines[4]).toContain('"uri":"a:b"');
    for (const { id } of again) if (id !== undefined) second.say(answered(id));
    rig.send({ id: 9, method: 'ping' });
    await expect.poll(() => second.lines).toHaveLength(6);
    second.say(answered(9));
    await expect.poll(() => rig.lines.at(-1)).toBe(answered(9).trim());
    expect(rig.lines.slice(5, -1).map((line) => (JSON.parse(line) as { method: string }).method)).toEqual(
      ['tools', 'prompts', 'resources'].map((list) => `notifications/${list}/list_changed`),
    );
  });

  it('asks the next process what the last one has not answered of who it is', async () => {
    const rig = new Rig();
    const first = await rig.process(0);
    rig.send({ id: 'i', method: 'initialize' });
    await expect.poll(() => first.lines).toHaveLength(2);
    first.end();
    const second = await rig.process(1);
    await expect.poll(() => second.lines[1]).toBe(first.lines[1]);
    second.say(answered('i'));
    await expect.poll(() => rig.lines).toEqual([answered('i').trim()]);
  });

  it('drops the answer of a client to a question of a process that has ended', async () => {
    const rig = new Rig();
    const first = await rig.process(0);
    first.say('{"jsonrpc":"2.0","id":"mux-1","method":"ping"}\n');
    await expect.poll(() => rig.lines).toHaveLength(1);
    first.end();
    const second = await rig.process(1);
    rig.input.write(answered('mux-1'));
    second.say('{"jsonrpc":"2.0","id":"mux-1-1","method":"ping"}\n');
    await expect.poll(() => rig.lines.at(-1)).toContain('mux-1-1');
    rig.input.write(answered('mux-1-1'));
    await expect.poll(() => second.lines).toEqual(['hello 1', answered('mux-1-1').trim()]);
  });

  it('waits for its client after a stop on purpose, and spends no restart on it', async () => {
    const rig = new Rig(0);
    const first = await rig.process(0);
    rig.isStopped = true;
    rig.send({ id: 1, method: 'ping' });
    await expect.poll(() => first.lines).toHaveLength(2);
    first.end();
    await expect.poll(() => rig.lines).toHaveLength(1);
    expect(rig.processes).toHaveLength(1);
    rig.send({ id: 2, method: 'ping' });
    const second = await rig.process(1);
    await expect.poll(() => second.lines).toHaveLength(2);
    second.say(answered(2));
    rig.input.end();
    expect(await rig.ended).toBe('client gone');
    expect([rig.restarts, rig.lines.length]).toEqual([0, 2]);
  });

  it('gives up when the process ends again and again', async () => {
    const rig = new Rig(1);
    for (const index of [0, 1]) (await rig.process(index)).end();
    expect(await rig.ended).toBe('given up');
    expect(rig.processes).toHaveLength(2);
  });
});

describe('a relay whose process leaves it to another one', () => {
  it('sends new requests to the next process, and what concerns the open ones to the one that has them', async () => {
    const rig = new Rig(0);
    const first = await rig.process(0);
    for (const id of [1, 2]) rig.send({ id, method: 'ping' });
    await expect.poll(() => first.lines).toHaveLength(3);
    let ready = (): void => undefined;
    rig.isReady = new Promise((resolve) => (ready = resolve));
    first.say('{"mcpmux":"leave"}\n{"jsonrpc":"2.0","id":"mux-1","method":"roots/list"}\n');
    await expect.poll(() => rig.lines).toHaveLength(1);
    rig.send({ id: 3, method: 'ping' });
    rig.send({ method: 'notifications/cancelled', params: { requestId: 2 } });
    rig.input.write(answered('mux-1'));
    await expect.poll(() => first.lines.slice(3)).toHaveLength(2);
    ready();
    const second = await rig.process(1);
    await expect.poll(() => second.lines).toHaveLength(2);
    expect(second.lines[1]).toContain('"id":3');
    second.say(answered(3));
    first.say(answered(1));
    await expect.poll(() => first.isOver).toBe(true);
    rig.input.end();
    expect(await rig.ended).toBe('client gone');
    expect(rig.lines.slice(1).map((line) => (JSON.parse(line) as { id: number }).id)).toEqual([3, 1]);
    expect(rig.restarts).toBe(0);
  });

  it('answers what is open there when that process is killed, and lets listening requests end in order', async () => {
    const rig = new Rig(0);
    const first = await rig.process(0);
    rig.send({ id: 'l', method: 'subscriptions/listen', params: {} });
    await expect.poll(() => first.lines).toHaveLength(2);
    first.say('{"mcpmux":"leave"}\n');
    await expect.poll(() => first.isOver).toBe(true);
    const second = await rig.process(1);
    rig.send({ id: 1, method: 'ping' });
    await expect.poll(() => second.lines).toHaveLength(2);
    second.say('{"mcpmux":"leave"}\n');
    const third = await rig.process(2);
    second.end();
    await expect.poll(() => rig.lines).toHaveLength(2);
    expect(rig.lines[0]).toContain('"id":"l"');
    expect(rig.lines[1]).toContain('"id":1');
    expect(rig.lines[1]).toContain('ended before it answered');
    rig.send({ id: 2, method: 'ping' });
    await expect.poll(() => third.lines).toHaveLength(2);
    third.say(answered(2));
    await expect.poll(() => rig.lines).toHaveLength(3);
    rig.input.end();
    expect(await rig.ended).toBe('client gone');
  });
});

describe.each([
  ['behind its id', '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":}}'],
  ['before its id', '{"method":"tools/call","params":{"name":"a" "b"},"jsonrpc":"2.0","id":7}'],
  ['in a long line', `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"${'a'.repeat(9000)}"`],
])('a call that the process cannot read %s', (_, unreadable) => {
  const refusal =
    '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Not JSON","data":{"requestId":7}}}\n';
  const call = (id: number): object => ({ id, method: 'tools/call', params: { name: 'a' } });

  it('is not open any more when it is refused, and every other call is', async () => {
    const rig = new Rig();
    const process = await rig.process(0);
    rig.send(call(6));
    rig.input.write(`${unreadable}\n`);
    rig.send(call(8));
    await expect.poll(() => process.lines).toHaveLength(4);
    process.say(refusal);
    process.say(answered(8));
    await expect.poll(() => rig.lines).toHaveLength(2);
    process.end();
    await rig.process(1);
    const ids = rig.lines.map((line) => (JSON.parse(line) as { id: unknown }).id);
    expect(ids).toEqual([null, 8, 6]);
  });

  it('does not keep a process that leaves the relay', async () => {
    const rig = new Rig();
    const first = await rig.process(0);
    rig.input.write(`${unreadable}\n`);
    await expect.poll(() => first.lines).toHaveLength(2);
    first.say(refusal);
    first.say('{"mcpmux":"leave"}\n');
    await expect.poll(() => first.isOver).toBe(true);
  });

  it('does not close the call of the same id that follows', async () => {
    const rig = new Rig();
    const process = await rig.process(0);
    rig.input.write(`${unreadable}\n`);
    rig.send(call(7));
    await expect.poll(() => process.lines).toHaveLength(3);
    process.say(refusal);
    await expect.poll(() => rig.lines).toHaveLength(1);
    process.end();
    await expect.poll(() => rig.lines).toHaveLength(2);
    expect(rig.lines[1]).toContain('"id":7');
  });
});

it('a relay brings the next process the servers that agents have added, as the last line told', async () => {
  const rig = new Rig();
  const first = await rig.process(0);
  first.say('{"mcpmux":"added","servers":[{"name":"a"}]}\n');
  first.say('{"mcpmux":"added","servers":[{"name":"b"}]}\n{"mcpmux":"something-new"}\n');
  first.end();
  await rig.process(1);
  expect(rig.brought).toEqual([[], [{ name: 'b' }]]);
  expect(rig.lines).toEqual([]);
});
