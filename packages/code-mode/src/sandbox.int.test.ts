import { beforeAll, describe, expect, it } from 'vitest';

import { ENDLESS, LOOKING, TAMPERING } from './testing/escape-cases.js';
import { runSandbox, type Run } from './testing/run-sandbox.js';

async function value(code: string): Promise<unknown> {
  const { outcome } = await runSandbox(code);
  if (outcome.kind !== 'value') throw new Error(JSON.stringify(outcome));
  return outcome.json === undefined ? undefined : JSON.parse(outcome.json);
}

describe('code in a sandbox', () => {
  let found: readonly unknown[];
  beforeAll(async () => {
    const attempts = LOOKING.map(([, code]) => `async () => {${code}}`).join(',\n');
    const all = `const found = []; for (const f of [${attempts}]) found.push((await f().catch((e) => "threw " + e)) ?? null); return found;`;
    found = (await value(all)) as readonly unknown[];
  });

  it.each(LOOKING.map(([what, , expected], index) => ({ what, expected, index })))(
    'finds nothing of the host by $what',
    ({ expected, index }) => expect(found[index]).toEqual(expected),
  );

  it.each(TAMPERING)('harms only itself by changing %s', async (_, code) => {
    const { outcome, requests } = await runSandbox(code);
    expect(['value', 'error', 'stuck']).toContain(outcome.kind);
    expect(JSON.stringify(outcome).length).toBeLessThan(2000);
    for (const { what, subject } of requests) expect([what, subject]).toEqual(['call', 's__t']);
  });

  it.each(ENDLESS)('is ended in %s', async (_, code, ended) => {
    const { outcome } = await runSandbox(code, { computeMs: 100 });
    // On a busy machine the time is up before the memory is.
    expect(JSON.stringify(outcome)).toMatch(new RegExp(`${ended.source}|computed`, ended.flags));
  });
});

describe('what code may use', () => {
  it('is the number of calls', async () => {
    const code =
      'return (await Promise.allSettled(Array.from({ length: 9 }, () => call("s__t")))).map((r) => r.status)';
    const { outcome, requests } = await runSandbox(code, { maxCalls: 5 });
    expect(requests).toHaveLength(5);
    expect(JSON.stringify(outcome).match(/rejected/g)).toHaveLength(4);
  });

  it('is the number of calls, however many it makes at once', async () => {
    const { requests } = await runSandbox('for (;;) call("s__t")', { maxCalls: 5, computeMs: 300 });
    expect(requests).toHaveLength(5);
  });

  it('is the length of its output, empty lines included', async () => {
    const long = await runSandbox('for (let i = 0; i < 5e3; i += 1) console.log("x".repeat(100))', {
      maxOutput: 1000,
    });
    expect(long.lines.join('').length).toBeLessThanOrEqual(1000);
    const empty = await runSandbox('for (let i = 0; i < 5e3; i += 1) console.log("")', { maxOutput: 1000 });
    expect(empty.lines.length).toBeLessThan(100);
    const { outcome } = await runSandbox('return "x".repeat(1e6)', { maxOutput: 1000 });
    expect(outcome).toMatchObject({ kind: 'value', json: expect.stringMatching(/^.{1001}$/) });
  });

  it('is the time in all, waiting for calls included', async () => {
    const { outcome } = await runSandbox('await call("s__waits")', { timeoutMs: 400 });
    expect(outcome).toEqual({ kind: 'stopped', reason: 'it took more than 0.4 s in all' });
  });

  it('is not the time that it waits for calls', async () => {
    const { outcome } = await runSandbox('await call("s__later")', { computeMs: 1000 });
    expect(outcome).toMatchObject({ kind: 'value' });
  });

  it('ends when nobody wants the result any more', async () => {
    const over = new AbortController();
    const running = runSandbox('for (;;);', {}, over.signal);
    over.abort();
    expect((await running).outcome).toEqual({ kind: 'stopped', reason: 'the call was cancelled' });
  });

  it('has nothing that another run has left', async () => {
    await runSandbox('globalThis.left = 1; Object.prototype.left = 1; return 1');
    expect(await value('return typeof left + typeof ({}).left')).toBe('undefinedundefined');
  });

  it('has errors with the lines of the code', async () => {
    const { outcome }: Run = await runSandbox('const a = 1;\nnone.x;');
    expect(outcome).toMatchObject({
      kind: 'error',
      message: expect.stringMatching(/'none' is not defined[^]*code\.js:2/),
    });
    const broken: Run = await runSandbox('const a = 1;\nconst = 2;');
    expect(broken.outcome).toMatchObject({
      kind: 'error',
      message: expect.stringMatching(/^SyntaxError[^]*code\.js:2/),
    });
  });
});
