import { Client as ClientV2, InMemoryTransport as InMemoryTransportV2 } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport as InMemoryTransportV1 } from '@modelcontextprotocol/sdk/inMemory.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { fixtureCommand } from '@mcpmux/test-servers';
import { describe, expect, it } from 'vitest';

import type { ApprovalRule } from '../guards/approval-rules.js';
import { approvals } from '../guards/approvals.js';
import type { GuardContext } from '../guards/guard.js';
import { dualProgram } from '../testing/dual-program.js';
import { MuxClient } from '../testing/mux-client.js';
import { textOf } from '../testing/mux-rig.js';
import type { ApprovalStore } from '../guards/approval-desk.js';
import { createMux } from './mux.js';
import type { Mux } from './mux-api.js';

const CLIENT = { name: 'test', version: '1' };
const FORMS = { capabilities: { elicitation: {} } };
const ERAS = ['legacy', 'modern'] as const;
const SESSION = { allow: 'the same call in this session' };

interface Answer {
  readonly action: 'accept' | 'decline' | 'cancel';
  readonly content?: Record<string, string>;
}

/** A client of an official SDK, whose user answers one question after the other, and declines when no answer is left. */
interface AskedClient {
  readonly questions: string[];
  readonly answers: Answer[];
  call(name: string, args?: Record<string, unknown>): Promise<string>;
}

async function legacyClient(mux: Mux): Promise<AskedClient> {
  const [near, far] = InMemoryTransportV1.createLinkedPair();
  const client = new ClientV1(CLIENT, FORMS);
  const user = newUser();
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => ({ ...user.answer(params.message) }));
  mux.connect(far);
  await client.connect(near);
  return {
    ...user,
    call: async (name, args = {}) => textOf(await client.callTool({ name, arguments: args })),
  };
}

async function modernClient(mux: Mux): Promise<AskedClient> {
  const [near, far] = InMemoryTransportV2.createLinkedPair();
  const client = new ClientV2(CLIENT, { ...FORMS, versionNegotiation: { mode: { pin: '2026-07-28' } } });
  const user = newUser();
  client.setRequestHandler('elicitation/create', ({ params }) => ({ ...user.answer(params.message) }));
  mux.connect(far);
  await client.connect(near);
  return {
    ...user,
    call: async (name, args = {}) => textOf(await client.callTool({ name, arguments: args })),
  };
}

function newUser() {
  const questions: string[] = [];
  const answers: Answer[] = [];
  const answer = (message: string): Answer => {
    questions.push(message);
    return answers.shift() ?? { action: 'decline' };
  };
  return { questions, answers, answer };
}

const connected = { legacy: legacyClient, modern: modernClient };

async function muxWith(rules: readonly ApprovalRule[] = [{}]): Promise<Mux> {
  const mux = createMux({ addPolicy: { mode: 'allow' } });
  await mux.addServer('e', fixtureCommand('echo'));
  mux.use(approvals({ rules, desk: mux.approvals }));
  return mux;
}

describe.each(ERAS)('E12: a call that needs an approval, of a client on an SDK of the %s era', (era) => {
  it('passes if the user accepts it, and is a tool error if not', async () => {
    await using mux = await muxWith();
    const client = await connected[era](mux);
    client.answers.push({ action: 'accept' }, { action: 'decline' }, { action: 'cancel' });
    expect(await client.call('e__echo', { message: 'hi' })).toBe('hi');
    expect(client.questions[0]).toMatch(/the tool "echo" of the MCP server "e" .*\n\{"message":"hi"\}\n/);
    expect(await client.call('e__echo', { message: 'hi' })).toContain('the user declined it');
    expect(await client.call('e__echo', { message: 'hi' })).toContain('the user gave no answer');
    expect(client.questions).toHaveLength(3);
    expect(mux.approvals.list()).toEqual([]);
  });

  it('is not asked about again in its session if the user said so, and every other call is', async () => {
    await using mux = await muxWith();
    const client = await connected[era](mux);
    client.answers.push({ action: 'accept', content: SESSION });
    const call = async (): Promise<string> => client.call('e__echo', { message: 'hi' });
    expect([await call(), await call(), client.questions.length]).toEqual(['hi', 'hi', 1]);
    expect(await client.call('e__echo', { message: 'ho' })).toContain('declined');
    expect(await client.call('e__slow_echo', { message: 'hi', delay_ms: 0 })).toContain('declined');
    const namesake = await connected[era](mux);
    expect(await namesake.call('e__echo', { message: 'hi' })).toContain('declined');
    const other = await connected[era === 'legacy' ? 'modern' : 'legacy'](mux);
    expect(await other.call('e__echo', { message: 'hi' })).toContain('declined');
  });

  it('by call_tool is the call of the tool', async () => {
    await using mux = await muxWith([{ tools: ['echo'] }]);
    const client = await connected[era](mux);
    client.answers.push({ action: 'accept' });
    const call = { name: 'e__echo', arguments: { message: 'hi' } };
    expect(await client.call('call_tool', call)).toBe('hi');
    expect(await client.call('call_tool', call)).toContain('declined');
    expect(client.questions[0]).toContain('\n{"message":"hi"}\n');
  });

  it('waits for the page or a terminal if its client shows no forms', async () => {
    await using mux = await muxWith();
    mux.approvals.watch(({ id }) => mux.approvals.answer(id, { isAllowed: true }));
    const client = await MuxClient.initialized(mux);
    expect(await client.call('e__echo', { message: 'hi' })).toMatchObject({
      result: { content: [{ text: 'hi' }] },
    });
  });

  it('is approved once with all that its server asks then', async () => {
    await using mux = createMux({ firstEra: 'modern' });
    await mux.addServer('v', await dualProgram());
    mux.use(approvals({ rules: [{}], desk: mux.approvals }));
    const client = await connected[era](mux);
    client.answers.push({ action: 'accept' }, { action: 'accept', content: { v: 'so' } });
    expect(await client.call('v__ask_by_input')).toContain('"so"');
    expect(client.questions).toEqual([expect.stringContaining('"ask_by_input"'), '[v] Well?']);
    expect(await client.call('v__ask_by_input')).toContain('declined');
  });

  it('does not reach a tool that has changed while the user was asked', async () => {
    await using mux = createMux();
    await mux.addServer('s', fixtureCommand('changing-definition'));
    mux.use(approvals({ rules: [{ tools: ['greet'] }], desk: mux.approvals }));
    const client = await MuxClient.initialized(mux);
    let asked: (id: number) => void = () => undefined;
    const id = new Promise<number>((resolve) => (asked = resolve));
    mux.approvals.watch((open) => asked(open.id));
    const answer = client.call('s__greet');
    const open = await id;
    const changed = new Promise((resolve) => mux.on('audit', resolve));
    await mux.callTool('s__turn', { description: 'Deletes everything' });
    await changed;
    mux.approvals.answer(open, { isAllowed: true });
    expect(textOf((await answer).result)).toContain('is new or has changed since this call arrived');
  });
});

class MemoryStore implements ApprovalStore {
  readonly calls = new Map<string, unknown>();
  has = (digest: string): Promise<boolean> => Promise.resolve(this.calls.has(digest));
  add = (digest: string, call: unknown): Promise<void> => Promise.resolve(void this.calls.set(digest, call));
}

it('E12: an approval for always outlives the mux, and not a change of the definition or of the command', async () => {
  const store = new MemoryStore();
  const ask = async (args: readonly string[], change?: string): Promise<string> => {
    await using mux = createMux({}, { approvals: store });
    const { command, args: own } = fixtureCommand('changing-definition');
    await mux.addServer('s', { command, args: [...own, ...args] });
    mux.use(approvals({ rules: [{ tools: ['greet'] }], desk: mux.approvals }));
    if (change !== undefined) {
      const changed = new Promise((resolve) => mux.on('audit', resolve));
      await mux.callTool('s__turn', { description: change });
      await changed;
    }
    const client = await legacyClient(mux);
    if (store.calls.size === 0)
      client.answers.push({ action: 'accept', content: { allow: 'the same call from now on' } });
    return await client.call('s__greet');
  };
  expect(await ask([])).toBe('hello');
  expect(await ask([])).toBe('hello');
  expect(await ask([], 'Deletes everything')).toContain('declined');
  expect(await ask(['--other'])).toContain('declined');
  expect(await ask([])).toBe('hello');
});

it('E12: the bytes of the arguments count, and arguments that stand twice reach no server', async () => {
  await using mux = await muxWith();
  const shown: string[] = [];
  mux.approvals.watch(({ id, arguments: args }) => {
    shown.push(args);
    mux.approvals.answer(id, { isAllowed: true, scope: 'session' });
  });
  const client = await MuxClient.initialized(mux);
  let sent = 0;
  const send = async (args: string): Promise<unknown> => {
    sent += 1;
    const id = `"sent-${sent}"`;
    client.send(`{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"e__echo",${args}}}`);
    return JSON.parse(await client.responseLine(id));
  };
  for (const args of ['{"message":"1"}', '{"message": "1"}', String.raw`{"message":"\u0031"}`])
    expect(await send(`"arguments":${args}`)).toMatchObject({ result: { content: [{ text: '1' }] } });
  expect(shown).toEqual(['{"message":"1"}', '{"message": "1"}', String.raw`{"message":"\u0031"}`]);
  const escaped = String.raw`"argument\u0073":{"message":"3"}`;
  expect(await send(escaped)).toMatchObject({ result: { content: [{ text: '3' }] } });
  expect(shown.at(-1)).toBe('{"message":"3"}');
  expect(await send(`"arguments":{"message":"1"},${escaped}`)).toMatchObject({
    error: { message: expect.stringContaining('has its arguments twice') as unknown },
  });
  expect(await send('"arguments":{"message":"1"},"arguments":{"message":"2"}')).toMatchObject({
    error: { message: expect.stringContaining('has its arguments twice') as unknown },
  });
  expect(shown).toHaveLength(4);
});

it('E12: the arguments are those that the server gets, with the ones that settings set', async () => {
  await using mux = createMux();
  const set = async (message: string): Promise<unknown> =>
    mux.addServer('e', fixtureCommand('echo'), {
      tools: { shown: () => ({ arguments: { message: { value: message } } }) },
    });
  await set('rm');
  mux.use(approvals({ rules: [{ arguments: { message: ['rm'] } }, { ask: false }], desk: mux.approvals }));
  const client = await legacyClient(mux);
  client.answers.push({ action: 'accept', content: SESSION });
  const call = async (args = {}): Promise<string> => client.call('e__echo', args);
  expect([await call({ message: 'hi' }), await call()]).toEqual(['rm', 'rm']);
  expect(client.questions).toEqual([expect.stringContaining('\n{"message":"rm"}\n')]);
  await mux.removeServer('e');
  await set('ls');
  expect([await call({ message: 'rm' }), client.questions.length]).toEqual(['ls', 1]);
});

it('E12: a rule for servers of agents asks about a server that add_server has added', async () => {
  await using mux = await muxWith([{ addedBy: 'agent' }]);
  const client = await legacyClient(mux);
  await client.call('add_server', { name: 'mine', ...fixtureCommand('echo') });
  expect(await client.call('e__echo', { message: 'hi' })).toBe('hi');
  expect(await client.call('mine__echo', { message: 'hi' })).toContain('declined');
  await mux.addServer('saved', { ...fixtureCommand('echo'), addedByAgent: true });
  expect(await client.call('saved__echo', { message: 'hi' })).toContain('declined');
});

it('E12: guards inside cannot change an approved call', async () => {
  await using mux = await muxWith();
  mux.approvals.watch(({ id }) => mux.approvals.answer(id, { isAllowed: true }));
  const client = await MuxClient.initialized(mux);
  const seen: GuardContext[] = [];
  const stop = mux.use('tools/call', (context, next) => {
    seen.push(context);
    return next({ params: { arguments: { message: 'ho' } } });
  });
  expect(await client.call('e__echo', { message: 'hi' })).toMatchObject({
    error: { message: expect.stringContaining('the request was approved with its params') as unknown },
  });
  stop();
  expect(seen).toHaveLength(1);
});
