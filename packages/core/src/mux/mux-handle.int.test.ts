import { DEFAULT_LIMITS } from '@mcpmux/kit';
import { fixtureCommand } from '@mcpmux/test-servers';
import { expect, it } from 'vitest';

import { ManualClock } from '@mcpmux/testing/manual-clock';
import { createMux } from './mux.js';
import type { RequestCaller } from './connect-options.js';
import type { Mux } from './mux-api.js';

interface Line {
  readonly id?: unknown;
  readonly method?: string;
  readonly result?: { readonly content?: readonly { readonly text?: string }[]; readonly isError?: boolean };
  readonly error?: { readonly code: number; readonly message: string };
}

/** Hands one message to a mux, and gives the lines that belong to it. */
async function handled(mux: Mux, message: object, caller: RequestCaller = {}): Promise<readonly Line[]> {
  const lines: Line[] = [];
  await mux.handle(Buffer.from(JSON.stringify(message)), caller, (line) => {
    lines.push(JSON.parse(Buffer.from(line).toString()) as Line);
  });
  return lines;
}

function call(id: unknown, name: string, args: object, meta?: object): object {
  const params = { name, arguments: args, ...(meta && { _meta: meta }) };
  return { jsonrpc: '2.0', id, method: 'tools/call', params };
}

it('answers one request without a connection, with its id and its type', async () => {
  await using mux = createMux();
  await mux.addServer('e', fixtureCommand('echo'));
  const [answer, ...others] = await handled(mux, call('a', 'e__echo', { message: 'hi' }));
  expect(answer).toMatchObject({ id: 'a', result: { content: [{ text: 'hi' }] } });
  expect(others).toEqual([]);
});

it('keeps requests apart that have the same id at the same time', async () => {
  await using mux = createMux();
  await mux.addServer('e', fixtureCommand('echo'));
  const answers = await Promise.all(
    ['one', 'two', 'three'].map((message) => handled(mux, call(1, 'e__echo', { message }))),
  );
  expect(answers.flat().map(({ id, result }) => [id, result?.content?.[0]?.text])).toEqual([
    [1, 'one'],
    [1, 'two'],
    [1, 'three'],
  ]);
});

it('answers an unknown tool, and what is no message, by an error, and a notification by nothing', async () => {
  await using mux = createMux();
  const [unknown] = await handled(mux, call(7, 'x__y', {}));
  expect(unknown).toMatchObject({ id: 7, error: { code: -32_602 } });
  const [invalid] = await handled(mux, { id: 8, method: 'tools/list' });
  expect(invalid).toMatchObject({ id: 8, error: { code: -32_600 } });
  await expect(handled(mux, { jsonrpc: '2.0', method: 'notifications/initialized' })).resolves.toEqual([]);
});

it('tells nobody but connected clients of changed lists', async () => {
  await using mux = createMux();
  await mux.addServer('e', fixtureCommand('echo'));
  const slow = handled(mux, call(1, 'e__slow_echo', { message: 'hi', delay_ms: 100 }));
  await mux.addServer('f', fixtureCommand('echo'));
  await mux.removeServer('f');
  expect((await slow).map(({ method }) => method)).toEqual([undefined]);
});

it('cancels the request at its server when nobody waits any more', async () => {
  await using mux = createMux();
  await mux.addServer('e', fixtureCommand('echo'));
  const controller = new AbortController();
  const ended = new Promise((resolve) => mux.on('call:end', resolve));
  mux.on('call:start', () => setImmediate(() => controller.abort()));
  const lines = handled(mux, call(1, 'e__slow_echo', { message: 'x', delay_ms: 50_000 }), {
    signal: controller.signal,
  });
  await expect(lines).resolves.toEqual([]);
  await expect(ended).resolves.toMatchObject({ ending: 'cancelled' });
});

it('passes guards, as its principal', async () => {
  await using mux = createMux();
  const seen: string[] = [];
  mux.use('tools/list', ({ principal }, next) => {
    seen.push(principal.id);
    return next();
  });
  const principal = { id: 'p', roles: [], rights: [] };
  const [answer] = await handled(mux, { jsonrpc: '2.0', id: 1, method: 'tools/list' }, { principal });
  expect(answer?.result).toBeDefined();
  expect(seen).toEqual(['p']);
});

it('finds the servers of its workspace and of no other', async () => {
  await using mux = createMux({ addPolicy: { mode: 'allow' } });
  const add = call(1, 'add_server', { name: 'own', ...fixtureCommand('echo') });
  await handled(mux, add, { workspace: 'w' });
  const [inside] = await handled(mux, call(2, 'own__echo', { message: 'in' }), { workspace: 'w' });
  expect(inside?.result?.content?.[0]?.text).toBe('in');
  const [outside] = await handled(mux, call(2, 'own__echo', { message: 'in' }), { workspace: 'v' });
  expect(outside?.error?.code).toBe(-32_602);
});

it('rejects after the mux was closed', async () => {
  const mux = createMux();
  await mux.close();
  await expect(handled(mux, call(1, 'x__y', {}))).rejects.toMatchObject({ code: 'CLOSED' });
});

it('does nothing for a caller that has gone already', async () => {
  await using mux = createMux();
  await mux.addServer('e', fixtureCommand('echo'));
  let calls = 0;
  mux.on('call:start', () => (calls += 1));
  const signal = AbortSignal.abort();
  await expect(handled(mux, call(1, 'e__echo', { message: 'x' }), { signal })).resolves.toEqual([]);
  expect(calls).toBe(0);
});

it.each([
  ['at once', { jsonrpc: '2.0', id: 1, method: 'ping' }],
  ['later', call(1, 'e__echo', { message: 'x' })],
])('rejects with what reply throws %s, and keeps nobody else from an answer', async (_, message) => {
  await using mux = createMux();
  await mux.addServer('e', fixtureCommand('echo'));
  const failing = mux.handle(Buffer.from(JSON.stringify(message)), {}, () => {
    throw new Error('the socket is closed');
  });
  const others = Promise.all([1, 2, 3].map((id) => handled(mux, call(id, 'e__echo', { message: 'y' }))));
  await expect(failing).rejects.toThrow('the socket is closed');
  expect((await others).flat().map(({ id }) => id)).toEqual([1, 2, 3]);
});

it('rejects with what reply throws behind a guard', async () => {
  await using mux = createMux();
  mux.use('tools/list', (_, next) => next());
  const message = Buffer.from('{"jsonrpc":"2.0","id":1,"method":"tools/list"}');
  const failing = mux.handle(message, {}, () => {
    throw new Error('the socket is closed');
  });
  await expect(failing).rejects.toThrow('the socket is closed');
});

it('refuses a newline, behind which a server would read another message', async () => {
  await using mux = createMux();
  const message = Buffer.from('{"jsonrpc":"2.0",\n"id":1,"method":"ping"}');
  await expect(mux.handle(message, {}, () => undefined)).rejects.toMatchObject({ code: 'INVALID_MESSAGE' });
});

it('a message that is refused keeps no workspace open', async () => {
  const clock = new ManualClock();
  await using mux = createMux({ addPolicy: { mode: 'allow' } }, { clock });
  await handled(mux, call(1, 'add_server', { name: 'own', ...fixtureCommand('echo') }), { workspace: 'w' });
  const refused = mux.handle(Buffer.from('{\n}'), { workspace: 'w' }, () => undefined);
  await expect(refused).rejects.toMatchObject({ code: 'INVALID_MESSAGE' });
  expect(mux.listServers({ everywhere: true })).toHaveLength(1);
  clock.advance(DEFAULT_LIMITS.workspaceIdleMs);
  expect(mux.listServers({ everywhere: true })).toEqual([]);
});

it('tells the response from the lines before it', async () => {
  await using mux = createMux();
  await mux.addServer('p', fixtureCommand('progress'));
  const kinds: boolean[] = [];
  const count = call(1, 'p__count', { n: 2 }, { progressToken: 't' });
  await mux.handle(Buffer.from(JSON.stringify(count)), {}, (_, isResponse) => kinds.push(isResponse));
  expect(kinds).toEqual([false, false, true]);
});

it('is answered at once when its caller must be, and not cancelled by it afterwards', async () => {
  await using mux = createMux();
  await mux.addServer('e', fixtureCommand('echo'));
  const ending = new AbortController();
  mux.on('call:start', () => setImmediate(() => ending.abort()));
  const slow = call(1, 'e__slow_echo', { message: 'x', delay_ms: 50_000 });
  const [answer] = await handled(mux, slow, { ending: ending.signal });
  expect(answer).toMatchObject({ id: 1, result: { isError: true } });
  const [after] = await handled(mux, call(2, 'e__slow_echo', { message: 'x', delay_ms: 50_000 }), {
    ending: ending.signal,
  });
  expect(after).toMatchObject({ id: 2, result: { isError: true } });
});

it('adds no server for callers that would each have servers of their own', async () => {
  await using mux = createMux({ addPolicy: { mode: 'allow' } });
  const add = call(1, 'add_server', { name: 'own', ...fixtureCommand('echo') });
  const [answer] = await handled(mux, add, { isolated: true });
  expect(answer?.result).toMatchObject({ isError: true });
  expect(answer?.result?.content?.[0]?.text).toContain('this request has none');
});
