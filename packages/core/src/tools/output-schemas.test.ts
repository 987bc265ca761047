import { parseServerName } from '@mcpmux/namespace';
import { describe, expect, it, vi } from 'vitest';
import * as z from 'zod';

import { promptsNamed, resourcesAt } from '../testing/definitions.js';
import { FakeSpawner } from '../testing/fake-server.js';
import { OwnToolsRig } from '../testing/own-tools-rig.js';
import { StandInUpstream } from '../testing/stand-in-upstream.js';
import { toolDefinition } from '../testing/tool-definitions.js';
import { toolDirectory } from '../testing/tool-directory.js';
import { SHARED } from '../testing/stand-in-registry.js';
import { serverStatus } from './status/server-status.js';
import { createOwnTools } from './own-tools.js';

const NODE = process.execPath;

/** Checks a structured content against the outputSchema that clients are shown, as SDK clients do. */
function problemsOf(tool: string, structuredContent: unknown): string | undefined {
  const found = createOwnTools({}).find(({ definition }) => definition.name === tool);
  const { outputSchema }: { outputSchema: Parameters<typeof z.fromJSONSchema>[0] } = JSON.parse(
    JSON.stringify(found?.definition),
  );
  return z.fromJSONSchema(outputSchema).safeParse(structuredContent).error?.message;
}

function rigOf(): OwnToolsRig {
  return new OwnToolsRig(
    new FakeSpawner(({ args: [how] }) => ({
      tools: ['say', 'with space'],
      ...(how === 'mute' && { intercept: () => undefined }),
    })),
  );
}

describe('the structured content of a result is what the outputSchema of its tool says', () => {
  it('of add_server, reload_server and remove_server', async () => {
    await using rig = rigOf();
    const added = await rig.result('add_server', { name: 'echo', command: NODE });
    expect(problemsOf('add_server', added.structuredContent)).toBeUndefined();
    const reloaded = await rig.result('reload_server', { name: 'echo' });
    expect(problemsOf('reload_server', reloaded.structuredContent)).toBeUndefined();
    const removed = await rig.result('remove_server', { name: 'echo' });
    expect(problemsOf('remove_server', removed.structuredContent)).toBeUndefined();
  });

  it('of add_server for a server that is still starting', async () => {
    await using rig = rigOf();
    const added = rig.result('add_server', { name: 'slow', command: NODE, args: ['mute'] });
    rig.clock.advance(50_000);
    const { structuredContent } = await added;
    expect(structuredContent).toMatchObject({ status: 'starting' });
    expect(problemsOf('add_server', structuredContent)).toBeUndefined();
  });

  it('S13: of list_servers for a server at a url', () => {
    const far = new StandInUpstream('far', { config: { url: 'https://example.com/mcp' } });
    const status = serverStatus(far, toolDirectory([far]).snapshot(), 0);
    expect(status).toMatchObject({ url: 'https://example.com/mcp' });
    expect(status).not.toHaveProperty('command');
    expect(problemsOf('list_servers', { servers: [status] })).toBeUndefined();
  });

  it('M4: of list_servers without a server, and with servers in every state', async () => {
    await using rig = rigOf();
    const none = await rig.result('list_servers');
    expect(none.structuredContent).toEqual({ servers: [], client: { era: 'legacy' } });
    await rig.result('add_server', { name: 'a', command: NODE, args: ['x'] });
    await rig.result('add_server', { name: 'b', command: NODE });
    rig.spawner.last.exit(null, 'SIGSEGV');
    await vi.waitUntil(() => rig.registryRig.states[1] === 'crashed', { timeout: 10_000, interval: 1 });
    const added = rig.result('add_server', { name: 'c', command: NODE, args: ['mute'] });
    const { structuredContent } = await rig.result('list_servers');
    expect(structuredContent).toMatchObject({
      servers: [
        {
          name: 'a',
          status: 'running',
          args: ['x'],
          tools: ['a__say', expect.stringMatching(/^a__with_space_/)],
        },
        { name: 'b', status: 'crashed', tools: [], last_error: { signal: 'SIGSEGV' } },
        { name: 'c', status: 'starting', tools: [] },
      ],
    });
    expect(problemsOf('list_servers', structuredContent)).toBeUndefined();
    rig.clock.advance(50_000);
    await added;
  });

  it('of search_tools, whatever is shown, and of server_logs', async () => {
    await using rig = rigOf();
    await rig.result('add_server', { name: 'a', command: NODE });
    for (const detail of ['name', 'description', 'definition']) {
      const found = await rig.result('search_tools', { query: 'say', detail });
      expect(found.structuredContent).toMatchObject({ total: 1 });
      expect(problemsOf('search_tools', found.structuredContent)).toBeUndefined();
    }
    rig.journal.record({ name: parseServerName('a'), layer: SHARED }, 'stderr', 'x');
    rig.journal.record({ name: parseServerName('a'), layer: SHARED }, 'event', 'y');
    const logs = await rig.result('server_logs', { name: 'a' });
    expect(logs.structuredContent).toMatchObject({ entries: [{ kind: 'stderr' }, { kind: 'event' }] });
    expect(problemsOf('server_logs', logs.structuredContent)).toBeUndefined();
  });

  it('M4: of list_servers with everything that a server can have', () => {
    const [first, second] = ['a', 'b'].map((name) =>
      new StandInUpstream(name, { tools: ['get'] })
        .offers({ prompts: promptsNamed('greet'), resources: resourcesAt('memo:///x') }, { resources: {} })
        .nowRunning(2),
    );
    if (first === undefined || second === undefined) throw new Error('two servers');
    second.offer.previousLists = {
      ...second.lists,
      tools: [toolDefinition('{"name":"get","inputSchema":{}}')],
    };
    second.warnings = ['odd'];
    const status = serverStatus(second, toolDirectory([first, second]).snapshot(), 0);
    expect(status).toMatchObject({
      prompts: ['b__greet'],
      resources: 1,
      resource_aliases: { 'memo:///x': expect.stringContaining('b') },
      changed_tools: ['get'],
      restarts: 1,
      warnings: ['odd'],
    });
    expect(problemsOf('list_servers', { servers: [status] })).toBeUndefined();
  });

  it('and nothing else is', () => {
    expect(problemsOf('search_tools', { tools: [] })).toBeDefined();
    expect(problemsOf('server_logs', { name: 'x', entries: [{ kind: 'other', text: '' }] })).toBeDefined();
    expect(problemsOf('add_server', { name: 'x', tools: [] })).toBeDefined();
    expect(problemsOf('add_server', { name: 'x', status: 'crashed', tools: [] })).toBeDefined();
    expect(problemsOf('remove_server', { name: 'x' })).toBeDefined();
    expect(problemsOf('list_servers', { servers: [{}] })).toBeDefined();
  });
});
