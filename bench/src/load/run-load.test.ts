import { describe, expect, it } from 'vitest';

import type { Connection, ConnectionHandler } from './connection.js';
import { runLoad, toolCall, type LoadPlan } from './run-load.js';
import { ScannedLine } from './scanned-line.js';

const REQUEST = toolCall('echo');
const ANSWER = '{"jsonrpc":"2.0","id":,"result":{}}';
const PLAN: LoadPlan = {
  request: REQUEST,
  inFlight: 1,
  windowMs: 0,
  minCalls: 3,
  answerBytes: ANSWER.length,
};

/** A server in this process: what it does with a request is up to the test. */
class FakeConnection implements Connection {
  readonly requested: number[] = [];
  handler: ConnectionHandler | undefined;

  constructor(private readonly serve: (id: number, connection: FakeConnection) => void) {}

  listen(handler: ConnectionHandler): void {
    this.handler = handler;
  }

  send(message: string): void {
    const { id } = JSON.parse(message) as { id: number };
    this.requested.push(id);
    queueMicrotask(() => this.serve(id, this));
  }

  say(text: string): void {
    this.handler?.line(new ScannedLine([Buffer.from(text)], Buffer.byteLength(text)));
  }

  answer(id: number): void {
    this.say(ANSWER.replace('"id":', `"id":${id}`));
  }

  async [Symbol.asyncDispose](): Promise<void> {}
}

function load(connection: FakeConnection, plan: Partial<LoadPlan> = {}, late: string[] = []) {
  const afterwards = { line: (line: ScannedLine) => void late.push(line.text()), ended: () => {} };
  return runLoad(connection, { ...PLAN, ...plan }, { firstId: 10, afterwards });
}

describe('runLoad', () => {
  it('keeps as many calls in flight as it is told, until enough were made', async () => {
    let inFlight = 0;
    let most = 0;
    const connection = new FakeConnection((id, server) => {
      inFlight = server.requested.length - (id - 10);
      most = Math.max(most, inFlight);
      server.answer(id);
    });
    const { calls, latencies } = await load(connection, { inFlight: 4, minCalls: 20 });
    expect(most).toBe(4);
    expect(calls).toBeGreaterThanOrEqual(20);
    expect(latencies).toHaveLength(calls);
    expect(connection.requested).toEqual(Array.from({ length: calls }, (_, index) => 10 + index));
  });

  it('takes answers in any order', async () => {
    const held: number[] = [];
    const connection = new FakeConnection((id, server) => {
      held.push(id);
      if (held.length === 3) for (const other of held.toReversed()) server.answer(other);
    });
    expect((await load(connection, { inFlight: 3 })).calls).toBe(3);
  });

  it('passes over notifications', async () => {
    const connection = new FakeConnection((id, server) => {
      server.say('{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}');
      server.answer(id);
    });
    expect((await load(connection)).calls).toBe(3);
  });

  it.each([
    [
      'a call is answered twice',
      'a second answer to call 10',
      (id: number, server: FakeConnection) => {
        server.answer(id);
        server.answer(id);
      },
    ],
    [
      'an answer belongs to no call',
      'an answer to call 99, which was not sent',
      (_: number, server: FakeConnection) => server.answer(99),
    ],
    [
      'an answer has another length',
      'an answer of 36 bytes instead of 35',
      (id: number, server: FakeConnection) => server.say(`{"jsonrpc":"2.0","id":${id},"result":{ }}`),
    ],
    [
      'the connection ends',
      'gone',
      (_: number, server: FakeConnection) => server.handler?.ended(new Error('gone')),
    ],
  ])('fails when %s', async (_, message, serve) => {
    await expect(load(new FakeConnection(serve))).rejects.toThrow(message);
  });

  it('gives the connection back with its last answer, so that what comes after is still seen', async () => {
    const late: string[] = [];
    const connection = new FakeConnection((id, server) => {
      server.answer(id);
      if (id === 12) server.say('late');
    });
    await load(connection, {}, late);
    expect(late).toEqual(['late']);
  });
});
