import { describe, expect, it } from 'vitest';

import { errorResultJson } from '../caller/tool-result.js';
import { SessionRig } from '../../testing/session-rig.js';

/** A session with one own tool that has been called and has not answered. */
async function called(id = '5', rest = ''): Promise<SessionRig> {
  const rig = new SessionRig();
  rig.call(id, 'own_tool', rest);
  await rig.exchange();
  return rig;
}

const progressOf = (token: string, progress: number, message: string): string =>
  `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":${token},` +
  `"progress":${progress},"message":${JSON.stringify(message)}}}`;

describe('a call of a tool of mcpmux itself', () => {
  it.each([
    ['"arguments":{"a":[1,{"b":null}]}', { a: [1, { b: null }] }],
    ['"arguments":"text"', 'text'],
    ['"arguments":null', null],
    ['', undefined],
  ])('gets its arguments as they were sent: %s', async (rest, args) => {
    const rig = await called('5', rest);
    expect(rig.ownTools.calls).toMatchObject([{ name: 'own_tool', args }]);
  });

  it.each(['0', '""', String.raw`"\u0061"`, '9007199254740993'])(
    'is answered with its result and its id: %s',
    async (id) => {
      const rig = await called(id);
      rig.ownTools.last.resolve('{"content":[],"n":1.0}');
      await expect(rig.exchange()).resolves.toEqual([
        `{"jsonrpc":"2.0","id":${id},"result":{"content":[],"n":1.0}}`,
      ]);
    },
  );

  it('is answered with a result that says so when it is refused', async () => {
    const rig = await called();
    rig.ownTools.last.resolve(errorResultJson('name: missing'));
    await expect(rig.exchange()).resolves.toEqual([
      '{"jsonrpc":"2.0","id":5,"result":{"content":[{"type":"text","text":"name: missing"}],"isError":true}}',
    ]);
  });

  it.each([
    [new Error('a defect'), 'a defect'],
    ['no error', 'no error'],
  ])('is answered with an error when it fails: %s', async (thrown, message) => {
    const rig = await called();
    rig.ownTools.last.reject(thrown);
    await expect(rig.exchange()).resolves.toEqual([
      `{"jsonrpc":"2.0","id":5,"error":{"code":-32603,"message":"own_tool failed inside mcpmux: ${message}"}}`,
    ]);
  });

  it('lets other requests be answered meanwhile', async () => {
    const rig = await called();
    await expect(rig.answerTo('{"jsonrpc":"2.0","id":6,"method":"ping"}')).resolves.toMatchObject({ id: 6 });
  });
});

describe('the progress of such a call', () => {
  it.each(['0', '"t"', '1.0', '""'])(
    'comes with the token of the client and counts up: %s',
    async (token) => {
      const rig = await called('5', `"_meta":{"progressToken":${token}}`);
      rig.ownTools.last.context.reportProgress('starting "x"');
      rig.ownTools.last.context.reportProgress('started');
      await expect(rig.exchange()).resolves.toEqual([
        progressOf(token, 1, 'starting "x"'),
        progressOf(token, 2, 'started'),
      ]);
    },
  );

  it('comes also when the call makes it at once', async () => {
    const rig = new SessionRig();
    rig.ownTools.onCall = ({ context }) => context.reportProgress('starting');
    rig.call('5', 'own_tool', '"_meta":{"progressToken":1}');
    await expect(rig.exchange()).resolves.toEqual([progressOf('1', 1, 'starting')]);
  });

  it('does not come without a token, nor after the answer', async () => {
    const silent = await called();
    silent.ownTools.last.context.reportProgress('x');
    await expect(silent.exchange()).resolves.toEqual([]);

    const rig = await called('5', '"_meta":{"progressToken":1}');
    rig.ownTools.last.resolve('{}');
    await rig.exchange();
    rig.ownTools.last.context.reportProgress('x');
    await expect(rig.exchange()).resolves.toEqual([]);
  });
});

describe('the end of such a call before its answer', () => {
  it('by cancellation aborts it, and nothing is answered', async () => {
    const rig = await called();
    rig.cancel('5');
    await rig.exchange();
    expect(rig.ownTools.last.context.signal.aborted).toBe(true);
    rig.ownTools.last.resolve('{}');
    await expect(rig.exchange()).resolves.toEqual([]);
  });

  it('by cancellation leaves its id to the next request, and tells that one nothing', async () => {
    const rig = await called('5', '"_meta":{"progressToken":1}');
    const first = rig.ownTools.last;
    rig.cancel('5');
    rig.call('5', 'own_tool', '"_meta":{"progressToken":1}');
    await rig.exchange();
    first.context.reportProgress('late');
    first.resolve('{"of":"the first"}');
    await expect(rig.exchange()).resolves.toEqual([]);
    rig.ownTools.last.resolve('{"of":"the second"}');
    await expect(rig.exchange()).resolves.toEqual(['{"jsonrpc":"2.0","id":5,"result":{"of":"the second"}}']);
  });

  it('by cancellation leaves its id to the next request, also when it fails late', async () => {
    const rig = await called();
    const first = rig.ownTools.last;
    rig.cancel('5');
    rig.call('5', 'own_tool');
    await rig.exchange();
    first.reject(new Error('late'));
    await expect(rig.exchange()).resolves.toEqual([]);
  });

  it('that comes with the request finds it aborted from the beginning', async () => {
    const rig = new SessionRig();
    rig.call('5', 'own_tool');
    rig.cancel('5');
    await rig.exchange();
    expect(rig.ownTools.calls.map(({ context }) => context.signal.aborted)).toEqual([true]);
  });

  it('by the disconnection of the client aborts it', async () => {
    const rig = await called();
    rig.session.close();
    expect(rig.ownTools.last.context.signal.aborted).toBe(true);
  });

  it('by the end of mcpmux aborts it, and it is answered', async () => {
    const rig = await called();
    const finished = rig.session.finish(0);
    rig.clock.advance(0);
    await finished;
    expect(rig.ownTools.last.context.signal.aborted).toBe(true);
    await rig.client.waitUntilEnded();
    expect(rig.client.lines).toEqual([
      '{"jsonrpc":"2.0","id":5,"result":{"content":[{"type":"text",' +
        '"text":"mcpmux is shutting down; the call was cancelled."}],"isError":true}}',
    ]);
  });
});
