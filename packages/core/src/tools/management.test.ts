import { getEventListeners } from 'node:events';

import { describe, expect, it, vi } from 'vitest';

import { accessControl } from '../guards/access-control.js';
import { FakeSpawner } from '../testing/fake-server.js';
import { isSettled } from '@mcpmux/testing/is-settled';
import { ManagementRig } from '../testing/management-rig.js';
import { nextTurn } from '@mcpmux/testing/next-turn';

const NODE = process.execPath;
const ANSWER_AFTER_MS = 50_000;
const WAIT = { timeout: 10_000, interval: 1 };
const ECHO_TOOLS = [{ name: 'echo__say', inputSchema: { type: 'object' } }];

/** Servers have the tool `say`; with the argument `mute` they never answer, with `fail` they exit at once. */
function rigOf(): ManagementRig {
  return new ManagementRig(
    new FakeSpawner(({ args: [how] }) => ({
      tools: ['say'],
      ...(how === 'mute' && { intercept: () => undefined }),
      ...(how === 'fail' && { intercept: (_: unknown, __: unknown, server) => server.exit(3) }),
    })),
  );
}

/** Resolves when the server that was started last has been spoken to. */
async function spokenTo({ spawner }: ManagementRig): Promise<void> {
  await vi.waitUntil(() => spawner.servers.at(-1)?.received.length === 1, WAIT);
}

/** Resolves when what follows from the end of a run has happened. */
async function allDone({ clock }: ManagementRig): Promise<void> {
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
    await using rig = new ManagementRig(spawner);
    const { structuredContent } = await rig.result('add_server', { name: 'echo', command: NODE });
    expect(structuredContent).toEqual({
      name: 'echo',
      status: 'running',
      tools: [],
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
    [{ name: 'bad', command: '/no/such/program' }, 'there is no file /no/such/program'],
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

describe('remove_server', () => {
  it('M2: removes the server and says so', async () => {
    await using rig = rigOf();
    await rig.result('add_server', { name: 'echo', command: NODE });
    const { structuredContent } = await rig.result('remove_server', { name: 'echo' });
    expect(structuredContent).toEqual({ name: 'echo', removed: true });
    expect(rig.registryRig.names).toEqual([]);
    expect(rig.spawner.alive).toEqual([]);
  });
});

describe('reload_server', () => {
  it('M3: answers with the tools of the new run, from the same configuration', async () => {
    await using rig = rigOf();
    await rig.result('add_server', {
      name: 'echo',
      command: NODE,
      args: ['x'],
      env: { A: 'b' },
      cwd: '/tmp',
    });
    const { structuredContent } = await rig.result('reload_server', { name: 'echo' });
    expect(structuredContent).toEqual({
      name: 'echo',
      status: 'running',
      tools: ECHO_TOOLS,
      changes: { added: [], removed: [], changed: [] },
    });
    expect(rig.spawner.servers.length).toBe(2);
    expect(rig.spawner.last.spec).toMatchObject({ args: ['x'], env: { A: 'b' }, cwd: '/tmp' });
    expect(rig.progress).toEqual(['starting echo', 'reloading echo']);
  });

  it('M3: that fails is a result that says why and what to do; the server stays', async () => {
    let runs = 0;
    const spawner = new FakeSpawner(() => {
      runs += 1;
      return runs > 1 ? { intercept: (_, __, server) => server.exit(3) } : {};
    });
    await using rig = new ManagementRig(spawner);
    await rig.result('add_server', { name: 'echo', command: NODE });
    const { content, isError } = await rig.result('reload_server', { name: 'echo' });
    expect(isError).toBe(true);
    expect(content[0]?.text).toBe(
      'Server "echo" exited with code 3.\nCall reload_server with {"name": "echo"} to start it again.',
    );
    expect(rig.registryRig.states).toEqual(['crashed']);
  });
});

describe('any management tool', () => {
  it.each(['remove_server', 'reload_server'])(
    'M2, M3: %s of an unknown name is a result that says so',
    async (tool) => {
      await using rig = rigOf();
      await rig.result('add_server', { name: 'echo', command: NODE });
      await expect(rig.result(tool, { name: 'ehco' })).resolves.toEqual({
        content: [{ type: 'text', text: 'There is no server named "ehco". Registered servers: echo.' }],
        isError: true,
      });
    },
  );

  it.each([
    ['add_server', { name: 'x' }, 'command: '],
    ['add_server', { name: 'x', command: NODE, env: { A: 1 } }, 'env.A: '],
    ['remove_server', {}, 'name: '],
    ['reload_server', { name: '' }, 'name: '],
    ['list_servers', { verbose: true }, 'arguments: Unrecognized key: "verbose"'],
    ['list_servers', [], 'arguments: '],
    ['search_tools', { query: 'x'.repeat(201) }, 'query: '],
  ])(
    'fault A12, fault H8: %s with arguments like %j does nothing and names the field',
    async (tool, args, problem) => {
      await using rig = rigOf();
      await expect(rig.call(tool, args)).resolves.toEqual({
        kind: 'error',
        error: {
          code: -32602,
          message: expect.stringContaining(`Invalid arguments for ${tool}: ${problem}`),
        },
      });
      expect(rig.registryRig.events).toEqual([]);
    },
  );

  it.each(['', 'A=B', '='])('add_server refuses the variable %j, which cannot be', async (variable) => {
    await using rig = rigOf();
    const args = { name: 'x', command: NODE, env: { GOOD: '1', [variable]: 'value' } };
    const { isError, content } = await rig.result('add_server', args);
    expect(isError).toBe(true);
    expect(content[0]?.text).toBe(
      `env names ${JSON.stringify(variable)}, and no environment variable can have that name.`,
    );
    expect(rig.registryRig.events).toEqual([]);
  });

  it('is one of those that are listed', async () => {
    await using rig = rigOf();
    await expect(rig.call('constructor')).rejects.toThrow('constructor is no tool of mcpmux');
  });
});

describe('a client that does not see every server', () => {
  it('A12: is told of no hidden one in the error about a name that it may use and nobody has', async () => {
    await using rig = new ManagementRig(new FakeSpawner(() => ({ tools: ['get'] })));
    for (const name of ['open', 'closed']) await rig.result('add_server', { name, command: NODE });
    rig.guards.use(accessControl({ rules: [{ servers: ['open', 'other'] }] }));
    for (const [tool, args] of [
      ['server_logs', { name: 'other' }],
      ['search_tools', { query: 'get', server: 'other' }],
      ['reload_server', { name: 'other' }],
      ['remove_server', { name: 'other' }],
    ] as const) {
      const { isError, content } = await rig.result(tool, args);
      expect(isError).toBe(true);
      expect(content[0]?.text).toBe('There is no server named "other". Registered servers: open.');
    }
  });

  it.each(['closed', 'Closed'])('A12: is told of %j only that the name is taken', async (name) => {
    await using rig = new ManagementRig(new FakeSpawner(() => ({ tools: ['get'] })));
    await rig.result('add_server', { name: 'closed', command: NODE });
    rig.guards.use(accessControl({ rules: [{ servers: ['closed'], allow: false }] }));
    const { isError, content } = await rig.result('add_server', { name, command: NODE });
    expect(isError).toBe(true);
    expect(content[0]?.text).toBe(`The name "${name}" is taken. Choose another name.`);
  });

  it('A12: is told of no other in lists, searches, logs and errors', async () => {
    await using rig = new ManagementRig(new FakeSpawner(() => ({ tools: ['get'] })));
    for (const name of ['open', 'closed']) await rig.result('add_server', { name, command: NODE });
    rig.guards.use(accessControl({ rules: [{ servers: ['open'] }] }));
    const list = await rig.result('list_servers');
    expect(list.structuredContent).toMatchObject({ servers: [{ name: 'open' }] });
    for (const [tool, args] of [
      ['server_logs', { name: 'closed' }],
      ['search_tools', { query: 'get', server: 'closed' }],
      ['reload_server', { name: 'closed' }],
      ['remove_server', { name: 'closed' }],
    ] as const) {
      const { isError, content } = await rig.result(tool, args);
      expect(isError).toBe(true);
      expect(content[0]?.text).toBe('There is no server named "closed" for "local". There are for it: open.');
    }
  });
});
