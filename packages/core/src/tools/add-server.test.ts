import { getEventListeners } from 'node:events';
import { resolve } from 'node:path';

import { describe, expect, it, vi } from 'vitest';
import { isSettled } from '@mcpmux/testing/is-settled';
import { nextTurn } from '@mcpmux/testing/next-turn';
import { FakeSpawner } from '../testing/fake-server.js';
import { OwnToolsRig } from '../testing/own-tools-rig.js';
import { configFromInput } from './add-server.js';

const NODE = process.execPath;
const ANSWER_AFTER_MS = 50_000;
const WAIT = { timeout: 10_000, interval: 1 };
const ECHO_TOOLS = [{ name: 'echo__say', inputSchema: { type: 'object' } }];

/** Servers have the tool `say`; with the argument `mute` they never answer, with `fail` they exit at once. */
function rigOf(): OwnToolsRig {
  return new OwnToolsRig(
    new FakeSpawner(({ args: [how] }) => ({
      tools: ['say'],
      ...(how === 'mute' && { intercept: () => undefined }),
      ...(how === 'fail' && { intercept: (_: unknown, __: unknown, server) => server.exit(3) }),
    })),
  );
}

/** Resolves once the server that was started last has been spoken to. */
async function spokenTo({ spawner }: OwnToolsRig): Promise<void> {
  await vi.waitUntil(() => spawner.servers.at(-1)?.received.length === 1, WAIT);
}

/** Resolves when what follows from the end of a run has happened. */
async function allDone({ clock }: OwnToolsRig): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) {
    clock.advance(1000);
    await nextTurn();
  }
}

describe('add_server', () => {
  it('M1: answers with the definitions of the tools, as structured content and as text', async () => {
    await using rig = rigOf();
    const { content, structuredContent, isError } = await rig.result('add_server', {
      name: 'echo',
      command: NODE,
    });
    expect(structuredContent).toEqual({ name: 'echo', status: 'running', tools: ECHO_TOOLS });
    expect(content.map(({ text }) => JSON.parse(text) as unknown)).toEqual([structuredContent]);
    expect(isError).toBeUndefined();
  });

  it('M1: answers with the tools of this server only', async () => {
    await using rig = rigOf();
    await rig.result('add_server', { name: 'other', command: NODE });
    const { structuredContent } = await rig.result('add_server', { name: 'echo', command: NODE });
    expect(structuredContent).toMatchObject({ tools: ECHO_TOOLS });
  });

  it('M1, G5: answers with what the server says about its use', async () => {
    const spawner = new FakeSpawner(() => ({
      intercept: (request, proceed, server) => {
        if (request.method !== 'initialize') return proceed();
        server.answer(request, {
          protocolVersion: '2025-11-25',
          capabilities: {},
          instructions: 'Be "kind".',
        });
      },
    }));
    await using rig = new OwnToolsRig(spawner);
    const { structuredContent } = await rig.result('add_server', { name: 'echo', command: NODE });
    expect(structuredContent).toEqual({
      name: 'echo',
      status: 'running',
      tools: [],
      warnings: ['it declares no tools, prompts or resources'],
      instructions: 'Be "kind".',
    });
  });

  it('M1: starts the program with its arguments, environment and working directory', async () => {
    await using rig = rigOf();
    const args = { name: 'echo', command: NODE, args: ['a', 'b c'], env: { TOKEN: 't' }, cwd: '/tmp' };
    await rig.result('add_server', args);
    expect(rig.spawner.last.spec).toMatchObject({
      command: NODE,
      args: ['a', 'b c'],
      env: { TOKEN: 't' },
      cwd: '/tmp',
    });
  });

  it('A3, fault H1: starts and keeps the server as it is told to, and list_servers shows how', async () => {
    await using rig = rigOf();
    const settings = {
      inheritEnv: 'none',
      startTimeoutMs: 600_000,
      restart: 'on-failure',
      callTimeoutMs: 5000,
    };
    await rig.result('add_server', { name: 'echo', command: NODE, ...settings });
    expect(rig.registryRig.registry.list()[0]?.config).toEqual({ command: NODE, ...settings });
    expect(Object.keys(rig.spawner.last.spec.env)).toEqual(['MCPMUX_CHILD']);
    const { structuredContent } = await rig.result('list_servers');
    expect(structuredContent).toMatchObject({ servers: [{ name: 'echo', settings }] });
  });

  it('A3: gives a slow server the time that it is told to, and no more', async () => {
    await using rig = rigOf();
    const slow = { name: 'slow', command: NODE, args: ['mute'], startTimeoutMs: 600_000 };
    const added = rig.result('add_server', slow);
    await spokenTo(rig);
    rig.clock.advance(ANSWER_AFTER_MS);
    await added;
    rig.clock.advance(600_000 - ANSWER_AFTER_MS - 1);
    expect(rig.registryRig.states).toEqual(['starting']);
    rig.clock.advance(1);
    await vi.waitUntil(() => rig.registryRig.states[0] === 'crashed', WAIT);
  });

  it.each([
    [{ name: 'bad', command: NODE, args: ['fail'] }, 'Server "bad" exited with code 3.\nIt was not added.'],
    [{ name: 'bad', command: '/no/such/program' }, `there is no file ${resolve('/no/such/program')}`],
    [{ name: 'a__b', command: NODE }, 'The server name "a__b" holds "__"'],
    [
      { name: 'Echo', command: NODE },
      'A server named "Echo" (spelled "echo") exists already and is running.',
    ],
  ])('M1: that fails is a result that says why, and registers nothing: %j', async (args, reason) => {
    await using rig = rigOf();
    await rig.result('add_server', { name: 'echo', command: NODE });
    const { content, isError, structuredContent } = await rig.result('add_server', args);
    expect(isError).toBe(true);
    expect(structuredContent).toBeUndefined();
    expect(content[0]?.text).toContain(reason);
    expect(rig.registryRig.names).toEqual(['echo']);
  });

  it('says that it is starting the server', async () => {
    await using rig = rigOf();
    await rig.result('add_server', { name: 'echo', command: NODE });
    expect(rig.progress).toEqual(['starting echo']);
  });
});

describe('add_server of a slow server', () => {
  it('M1: is answered before hosts give up; the server goes on starting', async () => {
    await using rig = rigOf();
    const added = rig.result('add_server', { name: 'slow', command: NODE, args: ['mute'] });
    await spokenTo(rig);
    rig.clock.advance(ANSWER_AFTER_MS - 1);
    expect(await isSettled(added)).toBe(false);
    rig.clock.advance(1);
    await expect(added).resolves.toMatchObject({
      structuredContent: {
        name: 'slow',
        status: 'starting',
        tools: [],
        note: expect.stringContaining('still starting') as string,
      },
    });
    expect(rig.registryRig.states).toEqual(['starting']);
  });

  it('M1: that then fails stays registered as crashed', async () => {
    await using rig = rigOf();
    const added = rig.result('add_server', { name: 'slow', command: NODE, args: ['mute'] });
    await spokenTo(rig);
    rig.clock.advance(ANSWER_AFTER_MS);
    await added;
    rig.spawner.last.exit(4);
    await vi.waitUntil(() => rig.registryRig.events.includes('slow crashed'), WAIT);
    await allDone(rig);
    const { structuredContent } = await rig.result('list_servers');
    expect(structuredContent).toMatchObject({
      servers: [{ name: 'slow', status: 'crashed', last_error: { exit_code: 4 } }],
    });
  });
});

describe('a cancelled add_server', () => {
  it('M10: is undone', async () => {
    await using rig = rigOf();
    const abort = new AbortController();
    const added = rig.result('add_server', { name: 'slow', command: NODE, args: ['mute'] }, abort.signal);
    await spokenTo(rig);
    abort.abort();
    expect(rig.registryRig.names).toEqual([]);
    await expect(added).resolves.toMatchObject({ isError: true });
  });

  it('M10: before it began adds nothing', async () => {
    await using rig = rigOf();
    const added = rig.result('add_server', { name: 'echo', command: NODE }, AbortSignal.abort());
    await expect(added).resolves.toMatchObject({ isError: true });
    expect(rig.registryRig.events).toEqual([]);
    expect(rig.spawner.servers).toEqual([]);
  });

  it('after its answer changes nothing, and no listener is left', async () => {
    await using rig = rigOf();
    const abort = new AbortController();
    await rig.result('add_server', { name: 'echo', command: NODE }, abort.signal);
    const late = rig.result('add_server', { name: 'slow', command: NODE, args: ['mute'] }, abort.signal);
    await spokenTo(rig);
    rig.clock.advance(ANSWER_AFTER_MS);
    await late;
    expect(getEventListeners(abort.signal, 'abort')).toEqual([]);
    abort.abort();
    expect(rig.registryRig.names).toEqual(['echo', 'slow']);
  });
});

it.each([
  [{ command: 'node' }, { command: 'node' }],
  [
    { command: 'node', args: ['a'], env: { A: '1' }, cwd: '/' },
    { command: 'node', args: ['a'], env: { A: '1' }, cwd: '/' },
  ],
  [{ url: 'https://x' }, { url: 'https://x' }],
  [
    { url: 'https://x', headers: { A: '1' }, transport: 'sse' as const },
    { url: 'https://x', headers: { A: '1' }, transport: 'sse' },
  ],
])('M1, S13: %j is a server of one kind', (input, config) => {
  expect(configFromInput(input)).toEqual(config);
});

it.each([
  [{}, 'command: is missing'],
  [{ command: 'node', url: 'https://x' }, 'url: cannot be given with command'],
  [
    { command: 'node', headers: {}, transport: 'sse' as const },
    'headers, transport: cannot be given with command',
  ],
  [{ url: 'https://x', args: [], cwd: '/' }, 'args, cwd: cannot be given with url'],
  [
    { url: 'https://x', transport: 'sse' as const, protocol: 'modern' as const },
    'protocol: modern cannot be given with the SSE transport, which is of 2024-11-05; leave one of the two out.',
  ],
])('A12: %j is refused, and says why', (input, problem) => {
  expect(() => configFromInput(input)).toThrow(`Invalid arguments for add_server: ${problem}`);
});
