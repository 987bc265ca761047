import { describe, expect, it } from 'vitest';

import { accessControl } from '../guards/access-control.js';
import { FakeSpawner } from '../testing/fake-server.js';
import { OwnToolsRig } from '../testing/own-tools-rig.js';

const NODE = process.execPath;
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
    await using rig = new OwnToolsRig(spawner);
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
      const { isError, content } = await rig.result(tool, args);
      expect(isError).toBe(true);
      expect(content[0]?.text).toContain(`Invalid arguments for ${tool}: ${problem}`);
      expect(content[0]?.text).toMatch(`Nothing was done. Correct the arguments and call ${tool} again.`);
      expect(rig.registryRig.events).toEqual([]);
    },
  );

  it.each(['', 'A=B', '='])('add_server refuses the variable %j, which cannot be', async (variable) => {
    await using rig = rigOf();
    const args = { name: 'x', command: NODE, env: { GOOD: '1', [variable]: 'value' } };
    const { isError, content } = await rig.result('add_server', args);
    expect(isError).toBe(true);
    expect(content[0]?.text).toBe(
      `env: ${JSON.stringify(variable)} is not a valid name of an environment variable.`,
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
    await using rig = new OwnToolsRig(new FakeSpawner(() => ({ tools: ['get'] })));
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
    await using rig = new OwnToolsRig(new FakeSpawner(() => ({ tools: ['get'] })));
    await rig.result('add_server', { name: 'closed', command: NODE });
    rig.guards.use(accessControl({ rules: [{ servers: ['closed'], allow: false }] }));
    const { isError, content } = await rig.result('add_server', { name, command: NODE });
    expect(isError).toBe(true);
    expect(content[0]?.text).toBe(`The name "${name}" is taken. Choose another name.`);
  });

  it('A12: is told of no other in lists, searches, logs and errors', async () => {
    await using rig = new OwnToolsRig(new FakeSpawner(() => ({ tools: ['get'] })));
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
      expect(content[0]?.text).toBe('"local" has no server named "closed". It has: open.');
    }
  });
});
