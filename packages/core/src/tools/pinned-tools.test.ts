import { describe, expect, it } from 'vitest';

import type { PinMode } from '../server/lists/tool-pins.js';
import { FakeSpawner, type FakeServer } from '../testing/fake-server.js';
import { OwnToolsRig } from '../testing/own-tools-rig.js';
import { nextTurn } from '@mcpmux/testing/next-turn';
import { ALLOW_ALL, type AddPolicy } from './policy/add-policy.js';

const NODE = process.execPath;
const SERVER = { name: 's', command: NODE };

/** A server whose tool `t` says what the test says; more tools by name. */
class TurningServer {
  description = 'one';
  further: readonly string[] = [];
  readonly spawner = new FakeSpawner(() => ({
    intercept: (request, proceed, server) => {
      if (request.method !== 'tools/list') return proceed();
      server.answer(request, { tools: this.tools() });
    },
  }));

  /** Says so without being asked, as a server does that turns on its users while it runs. */
  async turn(description: string): Promise<void> {
    this.description = description;
    const server: FakeServer = this.spawner.last;
    server.send('{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}');
    for (let turn = 0; turn < 10; turn += 1) await nextTurn();
  }

  private tools(): readonly object[] {
    const inputSchema = { type: 'object' };
    const further = this.further.map((name) => ({ name, inputSchema }));
    return [{ name: 't', description: this.description, inputSchema }, ...further];
  }
}

async function added(mode: PinMode, policy: AddPolicy = ALLOW_ALL) {
  const server = new TurningServer();
  const rig = new OwnToolsRig(server.spawner, policy, mode);
  await rig.result('add_server', SERVER);
  const status = async (): Promise<unknown> => {
    const { structuredContent } = await rig.result('list_servers');
    return (structuredContent as { readonly servers: readonly unknown[] }).servers[0];
  };
  return { server, rig, status };
}

describe('a tool whose definition changes while its server runs', () => {
  it('G1: is flagged in mode warn, and stays in use', async () => {
    const { server, rig, status } = await added('warn');
    await using _ = rig;
    await server.turn('two');
    await expect(status()).resolves.toMatchObject({ tools: ['s__t'], changed_tools: ['t'] });
    await expect(status()).resolves.not.toHaveProperty('blocked_tools');
    expect(rig.registryRig.events).toContain('unpinned s: t changed');
  });

  it('G1: is hidden in mode block, and so is what comes new; what was approved stays', async () => {
    const { server, rig, status } = await added('block');
    await using _ = rig;
    server.further = ['renamed'];
    await server.turn('two');
    await expect(status()).resolves.toMatchObject({
      tools: [],
      blocked_tools: { t: 'changed', renamed: 'new' },
    });
    const { structuredContent } = await rig.result('search_tools', { query: 'two' });
    expect(structuredContent).toMatchObject({ tools: [] });
    await server.turn('one');
    await expect(status()).resolves.toMatchObject({ tools: ['s__t'], blocked_tools: { renamed: 'new' } });
  });

  it('G1: is told once, however often it is listed', async () => {
    for (const mode of ['warn', 'block'] as const) {
      const { server, rig } = await added(mode);
      await using _ = rig;
      await server.turn('two');
      await server.turn('two');
      expect(rig.registryRig.events.filter((event) => event.startsWith('unpinned'))).toHaveLength(1);
    }
  });

  it('G1: is told again in mode warn when it changes again', async () => {
    const { server, rig } = await added('warn');
    await using _ = rig;
    await server.turn('two');
    await server.turn('three');
    expect(rig.registryRig.events.filter((event) => event.startsWith('unpinned'))).toHaveLength(2);
  });

  it('G1: is of no interest in mode off', async () => {
    const { server, rig, status } = await added('off');
    await using _ = rig;
    await server.turn('two');
    await expect(status()).resolves.not.toHaveProperty('changed_tools');
    await expect(status()).resolves.toMatchObject({ tools: ['s__t'] });
  });
});

describe('reload_server in mode block', () => {
  it('G1: leaves a changed tool blocked, says so, and shows nothing of its new definition', async () => {
    const { server, rig } = await added('block');
    await using _ = rig;
    server.description = 'evil';
    const result = await rig.result('reload_server', { name: 's' });
    expect(result.structuredContent).toMatchObject({
      tools: [],
      changes: { changed: ['t'] },
      note: 'Blocked until approved, because they differ from the approved tools: "t" (changed).',
    });
    expect(JSON.stringify(result)).not.toContain('evil');
  });

  it('G1: approves with approve: true, and the next change is one again', async () => {
    const { server, rig, status } = await added('block');
    await using _ = rig;
    server.description = 'two';
    const { structuredContent } = await rig.result('reload_server', { name: 's', approve: true });
    expect(structuredContent).toMatchObject({ tools: [{ name: 's__t', description: 'two' }] });
    expect(structuredContent).not.toHaveProperty('note');
    await server.turn('one');
    await expect(status()).resolves.toMatchObject({ blocked_tools: { t: 'changed' } });
  });

  it('G2: another command under the name needs an approval of its own', async () => {
    const { rig, status } = await added('block');
    await using _ = rig;
    await rig.result('remove_server', { name: 's' });
    await rig.result('add_server', { ...SERVER, args: ['other'] });
    await expect(status()).resolves.toMatchObject({ tools: [], blocked_tools: { t: 'command' } });
    await rig.result('reload_server', { name: 's', approve: true });
    await expect(status()).resolves.toMatchObject({ tools: ['s__t'] });
  });

  it('G2: another command under the name is warned of in mode warn', async () => {
    const { rig, status } = await added('warn');
    await using _ = rig;
    await rig.result('remove_server', { name: 's' });
    await rig.result('add_server', { ...SERVER, args: ['other'] });
    await expect(status()).resolves.toMatchObject({
      tools: ['s__t'],
      warnings: ['the command, environment or url under this name differs from the one before'],
    });
  });

  it('G1, G2: the same server, removed and added again, is as approved as before', async () => {
    const { server, rig, status } = await added('block');
    await using _ = rig;
    await rig.result('remove_server', { name: 's' });
    await rig.result('add_server', SERVER);
    await expect(status()).resolves.toMatchObject({ tools: ['s__t'] });
    await server.turn('two');
    await rig.result('remove_server', { name: 's' });
    await rig.result('add_server', SERVER);
    await expect(status()).resolves.toMatchObject({ blocked_tools: { t: 'changed' } });
  });

  it.each([
    ['deny', undefined, 'agents may not approve tools of this mcpmux (rule: deny)'],
    ['ask', undefined, 'has not declared the capability elicitation (rule: ask)'],
    ['allowlist', undefined, 'has not declared the capability elicitation (rule: allowlist)'],
    ['ask', { result: { action: 'decline' } }, 'the user declined it (rule: ask)'],
  ] as const)(
    'G1: under the policy %s an agent approves nothing by itself: %j',
    async (policy, answer, why) => {
      const server = new TurningServer();
      await using rig = new OwnToolsRig(
        server.spawner,
        policy === 'allowlist' ? { mode: policy, commands: [] } : { mode: policy },
        'block',
      );
      await rig.registryRig.registry.add('s', { command: NODE }).started;
      await server.turn('two');
      rig.userAnswers = answer;
      const result = await rig.result('reload_server', { name: 's', approve: true });
      expect(result).toMatchObject({ isError: true });
      expect(result.content[0]?.text).toContain(why);
      expect(rig.spawner.servers).toHaveLength(1);
      expect(rig.audited.at(-1)).toMatchObject({ action: 'approve', outcome: 'refused', rule: policy });
    },
  );

  it('G1: under the policy ask the user is told what has changed, and approves', async () => {
    const { server, rig, status } = await added('block', { mode: 'ask', commands: [{ command: NODE }] });
    await using _ = rig;
    await server.turn('two');
    rig.userAnswers = { result: { action: 'accept' } };
    await rig.result('reload_server', { name: 's', approve: true });
    expect(rig.asked[0]).toContain('"t" (changed)');
    await expect(status()).resolves.toMatchObject({ tools: ['s__t'] });
  });
});
