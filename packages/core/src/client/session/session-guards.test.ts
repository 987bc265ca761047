import { inspect } from 'node:util';

import { describe, expect, expectTypeOf, it } from 'vitest';

import { resultAnswer } from '../../guards/answers.js';
import { GuardRefusal } from '../../guards/guard-refusal.js';
import type { CallableTool, GuardAnswer, GuardContext, GuardHandler } from '../../guards/guard.js';
import { nextTurn } from '@mcpmux/testing/next-turn';
import { runningServer } from '../../testing/running-server.js';
import { SessionRig } from '../../testing/session-rig.js';

function rigWith(handle: GuardHandler, methods?: readonly string[]) {
  const server = runningServer('a', ['get']);
  const rig = new SessionRig([server.upstream], { ownTools: ['own_tool', 'call_tool'] });
  rig.guards.use({ handle, ...(methods && { methods }) });
  return { ...server, rig };
}

/** A guard that waits until the test lets it go on. */
function gate(): {
  readonly handle: GuardHandler;
  readonly open: () => void;
  readonly contexts: GuardContext[];
} {
  const contexts: GuardContext[] = [];
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  const handle: GuardHandler = async (context, next) => {
    contexts.push(context);
    await opened;
    return next();
  };
  return { handle, open, contexts };
}

describe('a session with guards', () => {
  it('A6: the answer of a server passes a guard byte for byte', async () => {
    const { rig, server } = rigWith((_, next) => next());
    rig.call('"x"', 'a__get', '"arguments":{"n":1.0}');
    await nextTurn();
    expect(server.received.at(-1)).toContain('"arguments":{"n":1.0}');
    server.send('{"result":{"n":12345678901234567890,"x" : 1.0},"id":1,"jsonrpc":"2.0"}');
    await nextTurn();
    expect(rig.client.lines).toEqual([
      '{"result":{"n":12345678901234567890,"x" : 1.0},"id":"x","jsonrpc":"2.0"}',
    ]);
  });

  it('A6: a guard that compares the params and the definition like any values refuses by them', async () => {
    const { rig, server } = rigWith(({ params, definition }, next) => {
      if (params['name'] === 'a__get' && definition?.['name'] === 'get')
        throw new GuardRefusal('Not this one.', { reason: 'forbidden' });
      return next();
    });
    rig.call('7', 'a__get');
    await nextTurn();
    expect(rig.client.lines[0]).toContain('Not this one.');
    expect(server.received).toEqual([]);
    // A function would have a `name` of its own, and always be true.
    expectTypeOf<GuardContext['params']>().not.toBeFunction();
    expectTypeOf<NonNullable<GuardContext['definition']>>().not.toBeFunction();
    expectTypeOf<GuardAnswer['json']>().not.toBeFunction();
    expectTypeOf<CallableTool['definition']>().not.toBeFunction();
  });

  it('A6: a context that is printed shows the request without its params and without internals', async () => {
    const printed: string[] = [];
    const { rig } = rigWith((context, next) => {
      printed.push(inspect(context));
      return next();
    });
    rig.call('7', 'a__get', '"arguments":{"key":"s3cret"}');
    await nextTurn();
    expect(printed[0]).toContain("method: 'tools/call'");
    expect(printed[0]).not.toContain('s3cret');
    expect(printed[0]?.split('\n').length).toBeLessThan(12);
  });

  it('A6: a refusal is an error of JSON-RPC that a model can read, and nothing is called', async () => {
    const { rig, server } = rigWith(() => {
      throw new GuardRefusal('Not today.', { reason: 'closed', data: { server: 'a' } });
    });
    rig.call('7', 'a__get');
    await nextTurn();
    expect(rig.client.lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      {
        jsonrpc: '2.0',
        id: 7,
        error: { code: -32603, message: 'Not today.', data: { reason: 'closed', server: 'a' } },
      },
    ]);
    expect(server.received).toEqual([]);
  });

  it('A6: a guard can answer itself', async () => {
    const { rig, server } = rigWith(() => resultAnswer(Buffer.from('{"content":[]}')));
    rig.call('"1"', 'a__get');
    await nextTurn();
    expect(rig.client.lines).toEqual(['{"jsonrpc":"2.0","id":"1","result":{"content":[]}}']);
    expect(server.received).toEqual([]);
  });

  it('A6: what a guard keeps of one answer is given to another request with the id of that one', async () => {
    let kept: GuardAnswer | undefined;
    const { rig, server } = rigWith(async (_, next) => (kept ??= await next()));
    rig.call('1', 'a__get');
    await nextTurn();
    server.answer(1, '{"x":1.0}');
    await nextTurn();
    rig.call('"two"', 'a__get');
    await nextTurn();
    expect(rig.client.lines.at(-1)).toBe('{"jsonrpc":"2.0","id":"two","result":{"x":1.0}}');
  });

  it.each([
    ['a tool of a server', 'tools/call', '"name":"a__get","arguments":{"big":1.0}', ['a', 'get']],
    ['a tool by its bare name', 'tools/call', '"name":"get"', ['a', 'get']],
    ['a tool by call_tool', 'tools/call', '"name":"call_tool","arguments":{"name":"a__get"}', ['a', 'get']],
    ['an own tool', 'tools/call', '"name":"own_tool"', ['mcpmux', 'own_tool']],
    ['a tool that nobody has', 'tools/call', '"name":"b__get"', [undefined, undefined]],
    ['a list', 'tools/list', '', [undefined, undefined]],
    ['a method that only the server knows', 'x/y', '', ['a', undefined]],
  ])('A12: a guard is told what is meant by %s', async (_, method, params, expected) => {
    const contexts: GuardContext[] = [];
    const { rig } = rigWith((context) => {
      contexts.push(context);
      return resultAnswer(Buffer.from('{}'));
    });
    rig.send(`{"jsonrpc":"2.0","id":1,"method":"${method}","params":{${params}}}`);
    await nextTurn();
    expect(contexts.map(({ server, tool }) => [server, tool])).toEqual([expected]);
  });

  it('a guard sees the params as they were sent, and who sends them', async () => {
    const contexts: GuardContext[] = [];
    const { rig } = rigWith((context) => {
      contexts.push(context);
      return resultAnswer(Buffer.from('{}'));
    });
    rig.call('1', 'a__get', '"arguments":{"n" : 1.0}');
    await nextTurn();
    const [context] = contexts;
    expect(context?.params).toEqual({ name: 'a__get', arguments: { n: 1 } });
    expect(context?.readRaw('arguments')?.toString()).toBe('{"n" : 1.0}');
    expect(context?.readRaw('other')).toBeUndefined();
    expect(context?.definition).toMatchObject({ name: 'get' });
    expect(context?.principal).toEqual({ id: 'local', roles: [], rights: [] });
    expect(context?.session).toBe(1);
  });

  it('initialize and ping pass no guard, and neither do methods that it is not for', async () => {
    const refuse: GuardHandler = () => {
      throw new GuardRefusal('no', { reason: 'test' });
    };
    const all = rigWith(refuse);
    expect(await all.rig.answerTo('{"jsonrpc":"2.0","id":1,"method":"ping"}')).toMatchObject({ result: {} });
    const calls = rigWith(refuse, ['tools/call']);
    const list = await calls.rig.answerTo('{"jsonrpc":"2.0","id":1,"method":"tools/list"}');
    expect(list).toMatchObject({ result: { tools: [{}, {}, {}] } });
  });

  it('a guard that is taken out is passed no more', async () => {
    const server = runningServer('a', ['get']);
    const rig = new SessionRig([server.upstream]);
    const handle = (): GuardAnswer => resultAnswer(Buffer.from('{"mine":true}'));
    const stop = rig.guards.use({ handle });
    const call = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"nothing"}}';
    expect(await rig.answerTo(call)).toMatchObject({ result: { mine: true } });
    stop();
    expect(await rig.answerTo(call)).toMatchObject({ error: { code: -32602 } });
  });

  it('A6: requests that guards do not wait with reach the server in the order of the client', async () => {
    const { rig, server } = rigWith((_, next) => next(), ['tools/call']);
    rig.call('1', 'a__get', '"arguments":{"n":1}');
    rig.send('{"jsonrpc":"2.0","id":2,"method":"x/y","params":{"n":2}}');
    rig.call('3', 'a__get', '"arguments":{"n":3}');
    await nextTurn();
    expect(server.received.map((line) => /"n":(\d)/.exec(line)?.[1])).toEqual(['1', '2', '3']);
  });
});

describe('the end of a guarded request', () => {
  it('A6: a request that is cancelled while a guard waits is neither called nor answered', async () => {
    const { handle, open, contexts } = gate();
    const { rig, server } = rigWith(handle);
    rig.call('1', 'a__get');
    rig.cancel('1');
    await nextTurn();
    expect(contexts[0]?.signal.aborted).toBe(true);
    open();
    await nextTurn();
    expect(rig.client.lines).toEqual([]);
    expect(server.received).toEqual([]);
  });

  it('A6: a request that is cancelled at its server is cancelled there, and its guards are told', async () => {
    const ends: string[] = [];
    const { rig, server } = rigWith(async (_, next) => {
      try {
        return await next();
      } finally {
        ends.push('released');
      }
    });
    rig.call('1', 'a__get');
    await nextTurn();
    rig.cancel('1');
    await nextTurn();
    expect(server.received.at(-1)).toContain('notifications/cancelled');
    expect(ends).toEqual(['released']);
    expect(rig.client.lines).toEqual([]);
  });

  it('A6: a guard that answers before the server does ends the call there', async () => {
    const { rig, server } = rigWith((_, next) => {
      void next();
      return resultAnswer(Buffer.from('{"early":true}'));
    });
    rig.call('1', 'a__get');
    await nextTurn();
    expect(server.received.at(-1)).toContain('notifications/cancelled');
    server.answer(1, '{"late":true}');
    await nextTurn();
    expect(rig.client.lines).toEqual(['{"jsonrpc":"2.0","id":1,"result":{"early":true}}']);
  });

  it('A6: when the session ends, whoever waits in a guard is answered and let go', async () => {
    const { handle, open, contexts } = gate();
    const { rig, server } = rigWith(handle);
    rig.call('1', 'a__get');
    const finished = rig.session.finish(0);
    rig.clock.advance(0);
    await finished;
    expect(rig.client.lines).toEqual([
      '{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"mcpmux shut down before it could answer"}}',
    ]);
    expect(contexts[0]?.signal.aborted).toBe(true);
    open();
    await nextTurn();
    expect(server.received).toEqual([]);
  });

  it('a guard that fails is logged, and its request is answered', async () => {
    const { rig } = rigWith(() => {
      throw new Error('a defect');
    });
    rig.call('1', 'a__get');
    await nextTurn();
    expect(rig.client.lines).toEqual([
      '{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"A guard failed inside mcpmux: a defect"}}',
    ]);
    expect(rig.logger.messages('error')).toEqual(['a guard failed']);
  });
});
