import { createMux, type Mux } from '@mcpmux/core';
import { accessControl, approvals, callAudit, type CallRecord, largeResults } from '@mcpmux/core/guards';
import { modernLine } from '@mcpmux/core/testing/modern-lines';
import { MuxClient, type Response } from '@mcpmux/core/testing/mux-client';
import { fixtureCommand, type FixtureName } from '@mcpmux/test-servers';
import { beforeAll, describe, expect, it } from 'vitest';

import { codeMode, type CodeModeOptions, type SandboxProgram } from './index.js';
import { sandboxProgram } from './testing/sandbox-program.js';

const FORMS = { elicitation: { form: {} } };
const ASK = {
  method: 'elicitation/create',
  params: { message: 'Name?', requestedSchema: { type: 'object', properties: { name: { type: 'string' } } } },
};

let program: SandboxProgram;
beforeAll(async () => {
  program = await sandboxProgram();
});

async function muxWith(
  servers: Readonly<Record<string, FixtureName>>,
  options: CodeModeOptions = {},
): Promise<Mux> {
  const mux = createMux();
  mux.use(codeMode({ program, ...options }));
  for (const [name, fixture] of Object.entries(servers)) await mux.addServer(name, fixtureCommand(fixture));
  return mux;
}

interface Ran {
  readonly isError: boolean;
  readonly text: string;
}

function ran({ result, error }: Response): Ran {
  if (result === undefined) throw new Error(JSON.stringify(error));
  const content = result['content'] as readonly { readonly text: string }[];
  return { isError: result['isError'] === true, text: content.map(({ text }) => text).join('\n') };
}

async function runCode(client: MuxClient, code: string): Promise<Ran> {
  return ran(await client.call('run_code', { code }));
}

describe('run_code', () => {
  it('is neither listed nor run while no guard answers it', async () => {
    await using mux = createMux();
    const client = await MuxClient.initialized(mux);
    expect((await client.tools()).map(({ name }) => name)).not.toContain('run_code');
    expect(await runCode(client, 'return 1')).toMatchObject({
      isError: true,
      text: expect.stringContaining('off'),
    });
    const stop = mux.use(codeMode({ program }));
    expect((await client.tools()).map(({ name }) => name)).toContain('run_code');
    stop();
    expect((await client.tools()).map(({ name }) => name)).not.toContain('run_code');
  });

  it('calls tools of several servers, and returns only what the code returns and prints', async () => {
    await using mux = await muxWith({ a: 'echo', b: 'echo' });
    const client = await MuxClient.initialized(mux);
    const code = `
      const answers = await Promise.all([tools.a.echo({ message: 'x' }), call('b__echo', { message: 'y' })]);
      console.log('called', answers.length);
      return answers.map(({ text }) => text).join('');`;
    expect(await runCode(client, code)).toEqual({ isError: false, text: 'xy\nPrinted:\ncalled 2' });
    const byName = await client.call('call_tool', { name: 'run_code', arguments: { code: 'return 1 + 1' } });
    expect(ran(byName)).toEqual({ isError: false, text: '2' });
  });

  it('E12: asks for an approval of each call, whatever was approved outside of code', async () => {
    await using mux = await muxWith({ a: 'echo' });
    mux.use(approvals({ rules: [{ servers: ['a'] }], desk: mux.approvals }));
    const asked: string[] = [];
    mux.approvals.watch(({ id, arguments: args }) => {
      asked.push(args);
      mux.approvals.answer(id, { isAllowed: asked.length < 3, scope: 'session' });
    });
    const client = await MuxClient.initialized(mux);
    await client.call('a__echo', { message: 'x' });
    expect((await runCode(client, `return (await tools.a.echo({ message: 'x' })).text`)).text).toBe('x');
    const code = `
      const said = [];
      for (const message of ['x', 'y'])
        said.push(await tools.a.echo({ message }).then(({ text }) => text, ({ message: problem }) => problem));
      return said.join('; ');`;
    expect((await runCode(client, code)).text).toMatch(/^x; .*was not called: .*the user declined it/);
    expect(asked).toEqual(['{"message":"x"}', '{"message":"x"}', '{"message":"y"}']);
  });

  it('describes the tools as TypeScript declarations', async () => {
    await using mux = await muxWith({ a: 'echo', b: 'progress' });
    const client = await MuxClient.initialized(mux);
    const { text } = await runCode(client, 'return describe("a__*")');
    expect(text).toContain('echo(args: { message: string }): Promise<ToolResult>;');
    expect(text).not.toContain('count');
    expect((await runCode(client, 'return describe()')).text.split('\n')).toEqual(
      expect.arrayContaining(['a__echo', 'b__count']),
    );
    expect((await runCode(client, 'return describe("b")')).text).toContain('count(');
  });

  it('throws what a tool fails with, where the code can catch it', async () => {
    await using mux = await muxWith({ a: 'echo' });
    const client = await MuxClient.initialized(mux);
    expect(
      await runCode(client, 'try { await tools.a.none({}) } catch (e) { return e.message }'),
    ).toMatchObject({
      isError: false,
      text: expect.stringContaining('there is no tool "a__none"'),
    });
    expect(await runCode(client, 'await tools.b.none({})')).toMatchObject({ isError: true });
  });

  it('passes each call through the guards and the audit, and cannot call denied tools', async () => {
    const records: CallRecord[] = [];
    await using mux = createMux();
    mux.use(callAudit({ sink: (record) => records.push(record) }));
    mux.use(accessControl({ rules: [{ servers: ['b'], allow: false }], otherwise: 'allow' }));
    mux.use(codeMode({ program }));
    for (const name of ['a', 'b']) await mux.addServer(name, fixtureCommand('echo'));
    const client = await MuxClient.initialized(mux);
    const code = `
      const tried = await Promise.allSettled([tools.a.echo({ message: 'x' }), tools.b.echo({ message: 'y' })]);
      return tried.map(({ status }) => status);`;
    expect((await runCode(client, code)).text).toBe('["fulfilled","rejected"]');
    expect((await runCode(client, 'return describe()')).text).not.toContain('b__');
    const calls = records.map(({ server, tool, outcome }) => `${server} ${tool} ${outcome}`);
    expect(calls).toEqual(['a echo ok', 'mcpmux run_code ok', 'mcpmux run_code ok']);
  });

  it('is not run for a principal that may not use it', async () => {
    await using mux = await muxWith({ a: 'echo' });
    mux.use({ shows: (_, server, tool) => !(server === 'mcpmux' && tool === 'run_code') });
    const client = await MuxClient.initialized(mux);
    expect((await client.call('run_code', { code: 'return 1' })).error).toMatchObject({ code: -32602 });
  });

  it('calls no tool of mcpmux itself', async () => {
    await using mux = await muxWith({ a: 'echo' });
    const client = await MuxClient.initialized(mux);
    for (const name of ['run_code', 'add_server', 'call_tool', 'list_servers', 'mcpmux__add_server'])
      expect(await runCode(client, `return call("${name}", {})`)).toMatchObject({ isError: true });
  });

  it('has questions of servers put to the user of the client', async () => {
    await using mux = await muxWith({ i: 'interactive' });
    const client = await MuxClient.initialized(mux, FORMS);
    const running = runCode(client, `return (await tools.i.ask(${JSON.stringify(ASK)})).text`);
    const { id } = await client.asked('elicitation/create');
    client.answer(id, { action: 'accept', content: { name: 'Ada' } });
    expect((await running).text).toContain('"content":{"name":"Ada"}');
  });

  it('has them put to the user of a client of 2026-07-28 in its answer', async () => {
    await using mux = await muxWith({ i: 'interactive' });
    const client = new MuxClient(mux);
    const params = {
      name: 'run_code',
      arguments: { code: `return (await tools.i.ask(${JSON.stringify(ASK)})).text` },
    };
    const send = async (id: number, more: object): Promise<Response> => {
      client.send(modernLine(String(id), 'tools/call', { ...params, ...more }, { capabilities: FORMS }));
      return JSON.parse(await client.responseLine(String(id))) as Response;
    };
    const asked = await send(1, {});
    expect(asked.result).toMatchObject({ resultType: 'input_required' });
    const inputResponses = { r1: { action: 'accept', content: { name: 'Ada' } } };
    const done = await send(2, { requestState: asked.result?.['requestState'], inputResponses });
    expect(ran(done).text).toContain('"content":{"name":"Ada"}');
  });

  it('tells of progress, that of its calls included', async () => {
    await using mux = await muxWith({ p: 'progress' });
    const client = await MuxClient.initialized(mux);
    const params = { name: 'run_code', arguments: { code: 'await tools.p.count({ n: 2 })' } };
    await client.request('tools/call', { ...params, _meta: { progressToken: 'mine' } });
    const reported = client.notified('notifications/progress');
    expect(reported.map(({ progressToken }) => progressToken)).toEqual(['mine', 'mine', 'mine']);
    expect(reported.map(({ progress }) => progress)).toEqual([1, 2, 3]);
    expect(reported.map(({ message }) => String(message).split(':')[0])).toEqual([
      'p__count',
      'p__count',
      'p__count',
    ]);
  });

  it('cancels the calls of the code when the client cancels', async () => {
    await using mux = await muxWith({ c: 'cancellable' });
    const client = await MuxClient.initialized(mux);
    const ended = new Promise<string>((resolve) => mux.on('call:end', ({ ending }) => resolve(ending)));
    const started = new Promise((resolve) => mux.on('call:start', resolve));
    const params = { name: 'run_code', arguments: { code: 'return call("c__wait")' } };
    client.send(JSON.stringify({ jsonrpc: '2.0', id: 'x', method: 'tools/call', params }));
    await started;
    client.send('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"x"}}');
    expect(await ended).toBe('cancelled');
  });

  it('cancels calls that the code has not waited for', async () => {
    await using mux = await muxWith({ c: 'cancellable' });
    const client = await MuxClient.initialized(mux);
    const ended = new Promise<string>((resolve) => mux.on('call:end', ({ ending }) => resolve(ending)));
    await runCode(client, 'call("c__wait"); await describe(); return 1');
    expect(await ended).toBe('cancelled');
  });

  it('gets long results whole: they go to the code, not to the client', async () => {
    await using mux = createMux();
    mux.use(largeResults({ tokens: 100 }));
    mux.use(codeMode({ program }));
    await mux.addServer('a', fixtureCommand('echo'));
    const client = await MuxClient.initialized(mux);
    const code = 'return (await tools.a.echo({ message: "x".repeat(100_000) })).text.length';
    expect((await runCode(client, code)).text).toBe('100000');
  });

  it('does not delay other sessions while it computes', async () => {
    await using mux = await muxWith({ a: 'echo' }, { computeMs: 800 });
    const [busy, other] = [await MuxClient.initialized(mux), await MuxClient.initialized(mux)];
    const over = new AbortController();
    const running = runCode(busy, 'for (;;) new Array(1000).fill(0)').finally(() => over.abort());
    let answered = 0;
    while (!over.signal.aborted) {
      await other.call('a__echo', { message: 'x' });
      answered += 1;
    }
    expect(await running).toMatchObject({
      isError: true,
      text: expect.stringContaining('computed for more'),
    });
    // many where nothing else runs; in the thread of the code it would be one
    expect(answered).toBeGreaterThan(3);
  });

  it('runs so many at a time, and refuses more than may wait', async () => {
    await using mux = await muxWith({ c: 'cancellable' }, { maxRuns: 1 });
    const client = await MuxClient.initialized(mux);
    const sent = Array.from({ length: 6 }, (_, id) => id);
    for (const id of sent)
      client.send(
        JSON.stringify({
          jsonrpc: '2.0',
          id: `r${100 + id}`,
          method: 'tools/call',
          params: { name: 'run_code', arguments: { code: 'return call("c__wait")' } },
        }),
      );
    const refused = JSON.parse(await client.responseLine('"r105"')) as Response;
    expect(refused.error?.message).toContain('Too much code');
  });
});
