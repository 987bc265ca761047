import { fixtureCommand, type FixtureName } from '@mcpmux/test-servers';
import { expect, it } from 'vitest';

import type { Sandbox } from '../index.js';
import { modernLine } from '../testing/modern-lines.js';
import { MuxClient } from '../testing/mux-client.js';
import { MuxRig, textOf } from '../testing/mux-rig.js';

const KEY = 'codex/sandbox-state-meta';
const READ_ONLY = { sandboxCwd: '/a', sandboxPolicy: { type: 'read-only' } };
const WRITING = { sandboxCwd: '/a', sandboxPolicy: { type: 'workspace-write', exclude_slash_tmp: true } };

/** The sandbox of a start: `entry` without that of a client, `nothing` if no path may be written. */
type Started = 'entry' | 'nothing' | '/a';

/** A mux whose sandbox confines nothing, and notes within which sandbox of a client each server starts. */
async function open(config: object = {}, limits: object = {}, fixture: FixtureName = 'hold-calls') {
  const starts: Started[] = [];
  const sandbox: Sandbox = {
    confine: async (program, _settings, policy) => {
      const isWritable = policy?.access.get('/a') === 'write';
      const confined = isWritable ? '/a' : 'nothing';
      starts.push(policy === undefined ? 'entry' : confined);
      return { program, by: 'recording', isWatched: false, explain: () => undefined, policy };
    },
  };
  const rig = await MuxRig.open({}, {}, { sandbox, limits });
  const env = { LIFELINE: rig.lifeline.address };
  const follow = { sandbox: { follow: 'client' }, env } as const;
  await rig.mux.addServer('a', { ...fixtureCommand(fixture), ...follow, ...config });
  const call = async (state?: unknown, tool = 'a__release', args: object = { key: 'k' }) => {
    const meta = state === undefined ? {} : { _meta: { [KEY]: state } };
    const { result } = await rig.client.request('tools/call', { name: tool, arguments: args, ...meta });
    return textOf(result);
  };
  return { rig, starts, call, [Symbol.asyncDispose]: () => rig[Symbol.asyncDispose]() };
}

it('a server starts without a right, and again in the sandbox that a call describes', async () => {
  await using mux = await open();
  expect(mux.starts).toEqual(['nothing']);
  for (const state of [WRITING, WRITING, READ_ONLY, undefined, WRITING])
    await expect(mux.call(state)).resolves.toBe('0');
  expect(mux.starts).toEqual(['nothing', '/a', 'nothing', 'entry', '/a']);
});

it('calls at once in one sandbox start the server once, also through call_tool', async () => {
  await using mux = await open();
  const inner = { name: 'a__release', arguments: { key: 'k' } };
  const calls = [mux.call(WRITING), mux.call(WRITING, 'call_tool', inner), mux.call(WRITING)];
  await expect(Promise.all(calls)).resolves.toEqual(['0', '0', '0']);
  expect(mux.starts).toEqual(['nothing', '/a']);
});

it('calls at once in two sandboxes are answered one after the other', async () => {
  await using mux = await open();
  const calls = [WRITING, READ_ONLY, WRITING, undefined].map((state) => mux.call(state));
  await expect(Promise.all(calls)).resolves.toEqual(['0', '0', '0', '0']);
  expect(mux.starts).toEqual(['nothing', '/a', 'nothing', '/a', 'entry']);
});

it('a call waits for the calls in another sandbox', async () => {
  await using mux = await open();
  await mux.call(WRITING);
  const held = mux.call(WRITING, 'a__hold');
  const waiting = mux.call(READ_ONLY);
  await expect(mux.call(WRITING)).resolves.toBe('1');
  await expect(held).resolves.toBe('released k');
  await expect(waiting).resolves.toBe('0');
  expect(mux.starts).toEqual(['nothing', '/a', 'nothing']);
});

it('a call is refused, and ends no other call, while calls in another sandbox do not end', async () => {
  await using mux = await open({}, { drainMs: 20 });
  await mux.call(WRITING);
  const held = mux.call(WRITING, 'a__hold');
  const refused = await mux.call(READ_ONLY);
  expect(refused).toContain('runs in the sandbox of calls that have not ended. The call was not sent.');
  await expect(mux.call(WRITING)).resolves.toBe('1');
  await expect(held).resolves.toBe('released k');
  expect(mux.starts).toEqual(['nothing', '/a']);
});

it('calls that wait at once are refused at once', async () => {
  const drainMs = 300;
  await using mux = await open({}, { drainMs });
  await mux.call(WRITING);
  const held = mux.call(WRITING, 'a__hold');
  const since = performance.now();
  const refused = await Promise.all(Array.from({ length: 10 }, () => mux.call(READ_ONLY)));
  expect(performance.now() - since).toBeLessThan(5 * drainMs);
  for (const text of refused) expect(text).toContain('The call was not sent');
  await mux.call(WRITING);
  await held;
});

it.each([
  ['modern-asking', 'a__form'],
  ['modern-tasks', 'a__confirm'],
] as const)(
  'a call of %s that waits for its user is not ended by a call in another sandbox',
  async (fixture, name) => {
    await using mux = await open({}, { drainMs: 20 }, fixture);
    const client = await MuxClient.initialized(mux.rig.mux, { elicitation: { form: {} } });
    const called = client.request('tools/call', { name, arguments: {}, _meta: { [KEY]: WRITING } });
    const { id } = await client.asked('elicitation/create');
    await expect(mux.call(READ_ONLY, name)).resolves.toContain(
      'runs in the sandbox of calls that have not ended',
    );
    client.answer(id, { action: 'accept', content: { name: 'Ada' } });
    await expect(called.then(({ result }) => textOf(result))).resolves.toContain('Ada');
    expect(mux.starts).toEqual(['nothing', '/a']);
  },
);

it('a call whose server restarts while its user is asked fails with the answer', async () => {
  await using mux = await open({}, {}, 'modern-asking');
  const client = await MuxClient.initialized(mux.rig.mux, { elicitation: { form: {} } });
  const called = client.call('a__form');
  const { id } = await client.asked('elicitation/create');
  await mux.rig.mux.reloadServer('a');
  client.answer(id, { action: 'accept', content: { name: 'Ada' } });
  await expect(called.then(({ result }) => textOf(result))).resolves.toContain('was reloaded');
});

it('calls at once of clients of both eras in two sandboxes are answered one after the other', async () => {
  await using mux = await open({}, {}, 'dual-era');
  const wire = new MuxClient(mux.rig.mux);
  const capabilities = { elicitation: { form: {} } };
  const legacy = await MuxClient.initialized(mux.rig.mux, capabilities);
  const modern = (id: string): Promise<string> => {
    const more = { capabilities, meta: { [KEY]: READ_ONLY } };
    wire.send(modernLine(id, 'tools/call', { name: 'a__era', arguments: {} }, more));
    return wire.responseLine(id).then((line) => textOf((JSON.parse(line) as { result?: never }).result));
  };
  const params = { name: 'a__era', arguments: {}, _meta: { [KEY]: WRITING } };
  const old = async (): Promise<string> => textOf((await legacy.request('tools/call', params)).result);
  await expect(Promise.all([old(), modern('1'), old(), modern('2')])).resolves.toEqual([
    'legacy',
    'modern',
    'legacy',
    'modern',
  ]);
});

it('a retry with another description does not continue a call', async () => {
  await using mux = await open({}, {}, 'interactive');
  const wire = new MuxClient(mux.rig.mux);
  const form = { message: 'Who?', requestedSchema: { type: 'object', properties: {} } };
  const params = { name: 'a__ask', arguments: { method: 'elicitation/create', params: form } };
  const send = async (id: string, state: object, more: object = {}) => {
    const init = { capabilities: { elicitation: { form: {} } }, meta: { [KEY]: state } };
    wire.send(modernLine(id, 'tools/call', { ...params, ...more }, init));
    return JSON.parse(await wire.responseLine(id)) as Awaited<ReturnType<MuxClient['request']>>;
  };
  const { result } = await send('1', WRITING);
  const { requestState, inputRequests } = result as { requestState: string; inputRequests: object };
  const [key = ''] = Object.keys(inputRequests);
  const retry = { requestState, inputResponses: { [key]: { action: 'decline' } } };
  expect((await send('2', READ_ONLY, retry)).error?.message).toContain('a request with other params');
  expect(textOf((await send('3', WRITING, retry)).result)).toContain('decline');
});

it('a call that its client has cancelled does not start the server', async () => {
  await using mux = await open({}, { drainMs: 20 });
  const { client } = mux.rig;
  const params = { name: 'a__release', arguments: { key: 'k' }, _meta: { [KEY]: WRITING } };
  client.send(JSON.stringify({ jsonrpc: '2.0', id: 'gone', method: 'tools/call', params }));
  client.send(
    JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'gone' } }),
  );
  await expect(mux.call(READ_ONLY)).resolves.toBe('0');
  expect(mux.starts).toEqual(['nothing', 'nothing']);
});

it('a description that no server can follow refuses the call, and list_servers warns', async () => {
  await using mux = await open();
  for (const state of [null, { sandboxCwd: '/a', sandboxPolicy: { type: 'dream' } }]) {
    const text = await mux.call(state);
    expect(text).toContain('The call was not sent. Tell the user: without "follow" in its entry');
  }
  expect(mux.starts).toEqual(['nothing']);
  expect(mux.rig.status('a').warnings?.join()).toContain('has a policy of the unknown type "dream"');
});

it('a lazy server has one start, in the sandbox of its first call', async () => {
  await using mux = await open({ idleTimeoutMs: 20 });
  await mux.rig.reached('a', 'idle');
  await expect(mux.call(WRITING)).resolves.toBe('0');
  expect(mux.starts).toEqual(['nothing', '/a']);
});

it('a server that follows is not started by a host whose sandbox cannot do that', async () => {
  const sandbox: Sandbox = {
    confine: async (program) => ({ program, by: 'simple', isWatched: false, explain: () => undefined }),
  };
  await using rig = await MuxRig.open({}, {}, { sandbox });
  const added = rig.mux.addServer('a', { ...fixtureCommand('echo'), sandbox: { follow: 'client' } as const });
  await expect(added).rejects.toThrow('it follows its client, and the sandbox of this host cannot do that');
});

it('reload: swap is a restart, so that no two runs have different sandboxes', async () => {
  await using mux = await open({ reload: 'swap' });
  await expect(mux.call(WRITING)).resolves.toBe('0');
  expect(mux.rig.status('a').restarts).toBe(1);
  expect(mux.starts).toEqual(['nothing', '/a']);
});

it('a server that follows makes mcpmux declare that it wants descriptions, so another mux passes them on', async () => {
  await using mux = await open();
  const { result } = await mux.rig.client.request('initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'other', version: '1' },
  });
  expect(result?.['capabilities']).toMatchObject({ experimental: { [KEY]: {} } });
});
