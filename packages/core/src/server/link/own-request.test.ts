import { describe, expect, it } from 'vitest';

import { connected } from '../../testing/connected.js';
import { NO_MASK, Redactor } from '@mcpmux/kit';
import { nextTurn } from '@mcpmux/testing/next-turn';
import { LateClock } from '@mcpmux/testing/late-clock';
import { ManualClock } from '@mcpmux/testing/manual-clock';
import { OwnRequest, OwnRequestError } from './own-request.js';

/** What a request ends with, or `undefined` while it waits. */
async function outcome(request: Promise<unknown>): Promise<unknown> {
  return Promise.race([request.catch((error: unknown) => error), nextTurn().then(() => undefined)]);
}

describe('a request of mcpmux itself', () => {
  it('resolves to the line of the response and the place of its result', async () => {
    const { connection, server, clock } = connected();
    const request = connection.request('tools/list', {}, 1000);
    server.answer(1, '{"tools":[1.0]}');
    const { line, result } = await request;
    expect(line.toString('utf8', result.start, result.end)).toBe('{"tools":[1.0]}');
    expect(clock.timerCount).toBe(0);
  });

  it('rejects with the error that the server gave', async () => {
    const { connection, server, clock } = connected();
    const request = connection.request('tools/list', {}, 1000);
    server.send('{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"out of order"}}');
    await expect(request).rejects.toMatchObject({
      message: 'the server answered {"code":-32603,"message":"out of order"}',
      timedOut: false,
      code: -32_603,
    });
    expect(clock.timerCount).toBe(0);
  });

  it('rejects with the beginning of a long error only', async () => {
    const { connection, server } = connected();
    const request = connection.request('tools/list', {}, 1000);
    server.send(`{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"${'x'.repeat(5000)}"}}`);
    await expect(request).rejects.toThrow(/^the server answered .{500}$/);
  });

  it('fault A7: rejects at its deadline, forgets the request and drops the late response', async () => {
    const { connection, server, clock } = connected();
    const request = connection.request('initialize', {}, 1500);
    clock.advance(1499);
    expect(await outcome(request)).toBeUndefined();
    clock.advance(1);
    const error = await outcome(request);
    expect(error).toEqual(new OwnRequestError('no answer to initialize within 1.5 s', true));
    expect(error).toMatchObject({ timedOut: true });
    await connection.calls.whenIdle();
    server.answer(1, '{}');
    await nextTurn();
    expect(connection.droppedLineCount).toBe(1);
    expect(clock.timerCount).toBe(0);
  });

  it('rejects when the run ends, and says why', async () => {
    const { connection, clock } = connected();
    const request = connection.request('tools/list', {}, 1000);
    const failure = { kind: 'pipe-closed', pipe: 'stdin', stderrTail: [] } as const;
    connection.failAll(failure);
    await expect(request).rejects.toMatchObject({
      name: 'OwnRequestError',
      message: 'pipe-closed',
      timedOut: false,
      failure,
    });
    expect(clock.timerCount).toBe(0);
  });

  it('rejects when its response has neither a result nor an error', async () => {
    const { connection, server } = connected();
    const request = connection.request('tools/list', {}, 1000);
    server.send('{"jsonrpc":"2.0","id":1}');
    await expect(request).rejects.toThrow('it has neither a result nor an error');
  });
});

describe('a deadline that passed while mcpmux stood still', () => {
  it('F16: leaves five seconds more to read what has come in the meantime, and then counts', async () => {
    const clock = new ManualClock();
    const timeouts: string[] = [];
    const request = new OwnRequest(
      { method: 'tools/list', timeoutMs: 10_000, mask: NO_MASK },
      new LateClock(clock, 60_000),
      () => timeouts.push('late'),
    );
    clock.advance(10_000);
    await expect(outcome(request.result)).resolves.toBeUndefined();
    clock.advance(4999);
    await expect(outcome(request.result)).resolves.toBeUndefined();
    clock.advance(1);
    await expect(request.result).rejects.toMatchObject({ timedOut: true });
    expect([timeouts, clock.timerCount]).toEqual([['late'], 0]);
  });
});

describe('a request of mcpmux itself after the run', () => {
  it('is rejected at once, and nobody waits for it', async () => {
    const { connection, clock } = connected();
    connection.failAll({ kind: 'removed' });
    await expect(connection.request('tools/list', {}, 1000)).rejects.toMatchObject({
      message: 'tools/list: the run has ended',
      failure: { kind: 'removed' },
    });
    expect(clock.timerCount).toBe(0);
    await connection.calls.whenIdle();
  });
});

describe("a server's error", () => {
  it('fault H4: is told without secrets, wherever it is cut', async () => {
    const secret = 'Kx9-secretVALUE/+=42zz-QQ';
    for (let before = 400; before < 500; before += 1) {
      const { connection, server } = connected({}, new Redactor([secret]));
      const listed = connection.request('tools/list', {}, 1000);
      const message = `${'.'.repeat(before)}${secret}${'.'.repeat(200)}`;
      server.send(JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code: 1, message } }));
      const error = await listed.catch(String);
      expect(error).toContain('the server answered {"code":1');
      expect(error).not.toMatch(/Kx9|secret|VALUE|zz-QQ/);
    }
  });
});
