import { describe, expect, it, vi } from 'vitest';
import * as z from 'zod';

import { FakeSpawner } from '../testing/fake-server.js';
import { ManagementRig } from '../testing/management-rig.js';
import { OWN_TOOLS, type OwnToolName } from './tool-definitions.js';

const NODE = process.execPath;

/** Checks a structured content against the outputSchema that clients are shown, as SDK clients do. */
function problemsOf(tool: OwnToolName, structuredContent: unknown): string | undefined {
  const json = OWN_TOOLS.find(({ name }) => name === tool)?.json ?? '';
  const { outputSchema }: { outputSchema: Parameters<typeof z.fromJSONSchema>[0] } = JSON.parse(json);
  return z.fromJSONSchema(outputSchema).safeParse(structuredContent).error?.message;
}

function rigOf(): ManagementRig {
  return new ManagementRig(
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

  it('M4: of list_servers without a server, and with servers in every state', async () => {
    await using rig = rigOf();
    const none = await rig.result('list_servers');
    expect(none.structuredContent).toEqual({ servers: [] });
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

  it('and nothing else is', () => {
    expect(problemsOf('add_server', { name: 'x', tools: [] })).toBeDefined();
    expect(problemsOf('add_server', { name: 'x', status: 'crashed', tools: [] })).toBeDefined();
    expect(problemsOf('remove_server', { name: 'x' })).toBeDefined();
    expect(problemsOf('list_servers', { servers: [{}] })).toBeDefined();
  });
});
