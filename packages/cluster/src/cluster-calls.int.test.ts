import { modernLine } from '@mcpmux/core/testing/modern-lines';
import { MuxClient } from '@mcpmux/core/testing/mux-client';
import { textOf } from '@mcpmux/core/testing/mux-rig';
import { fixtureCommand } from '@mcpmux/test-servers';
import { describe, expect, it } from 'vitest';

import { newCluster } from './testing/cluster-network.js';
import { ClusterRig, untilRunning, type RigNode } from './testing/cluster-rig.js';

async function twoNodes(options: { maxMessageBytes?: number } = {}): Promise<ClusterRig> {
  const rig = await ClusterRig.open(await newCluster(options));
  await rig.node('a');
  await rig.node('b');
  return rig;
}

/** A fixture in a cluster of two nodes, and a node that does not run it. */
async function remote(rig: ClusterRig, fixture: Parameters<ClusterRig['server']>[0]): Promise<RigNode> {
  return rig.otherThan(await rig.server(fixture));
}

describe('a client in front of a server on another node', () => {
  it('calls its tools under the names that they have on every node', async () => {
    await using rig = await twoNodes();
    const node = await remote(rig, 'echo');
    const client = await rig.client(node);
    await expect(client.serverTools()).resolves.toEqual(['echo__echo', 'echo__slow_echo']);
    const { result } = await client.call('echo__echo', { message: 'hello' });
    expect(textOf(result)).toBe('hello');
    const owner = await rig.client(rig.ownerOf('echo'));
    await expect(owner.serverTools()).resolves.toEqual(['echo__echo', 'echo__slow_echo']);
    expect(node.mux.listServers()).toMatchObject([{ name: 'echo', status: 'running', pid: null }]);
  });

  it('gets the progress of its call', async () => {
    await using rig = await twoNodes();
    const client = await rig.client(await remote(rig, 'progress'));
    const { result } = await client.request('tools/call', {
      name: 'progress__count',
      arguments: { n: 20 },
      _meta: { progressToken: 'mine' },
    });
    expect(result?.['isError']).not.toBe(true);
    const reported = client.notified('notifications/progress');
    expect(reported.map(({ progress }) => progress)).toEqual(
      Array.from({ length: 20 }, (_, index) => index + 1),
    );
    expect(new Set(reported.map(({ progressToken }) => progressToken))).toEqual(new Set(['mine']));
  });

  it('cancels a call', async () => {
    await using rig = await twoNodes();
    const client = await rig.client(await remote(rig, 'cancellable'));
    client.send(
      '{"jsonrpc":"2.0","id":"w","method":"tools/call","params":{"name":"cancellable__wait","arguments":{}}}',
    );
    client.send(
      '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"w","reason":"r"}}',
    );
    await expect
      .poll(async () => textOf((await client.call('cancellable__cancelled')).result))
      .toContain('"');
  });

  it('is asked by the server, of two clients the one whose call it is', async () => {
    await using rig = await twoNodes();
    const node = await remote(rig, 'interactive');
    const capabilities = { elicitation: { form: {} }, sampling: {}, roots: {} };
    const [one, two] = [
      await rig.client(node, capabilities),
      await rig.client(rig.ownerOf('interactive'), capabilities),
    ];
    const params = { message: 'sure?', requestedSchema: { type: 'object', properties: {} } };
    const call = one.call('interactive__ask', { method: 'elicitation/create', params });
    const asked = await one.asked('elicitation/create');
    expect(asked.params).toMatchObject({ message: '[interactive] sure?' });
    one.answer(asked.id, { action: 'accept', content: {} });
    expect(textOf((await call).result)).toContain('accept');
    expect(two.count('elicitation/create')).toBe(0);
    const sampling = one.call('interactive__ask', {
      method: 'sampling/createMessage',
      params: { messages: [{ role: 'user', content: { type: 'text', text: 'x' } }], maxTokens: 9 },
    });
    const sampled = await one.asked('sampling/createMessage');
    one.answer(sampled.id, { role: 'assistant', content: { type: 'text', text: 'sampled' }, model: 'm' });
    expect(textOf((await sampling).result)).toContain('sampled');
    const rooted = one.call('interactive__ask', { method: 'roots/list', params: {} });
    const roots = await one.asked('roots/list');
    one.answer(roots.id, { roots: [{ uri: 'file:///here' }] });
    expect(textOf((await rooted).result)).toContain('file:///here');
  });

  it('is told of tools that the server adds, and of resources that change', async () => {
    await using rig = await twoNodes();
    const client = await rig.client(await remote(rig, 'changing-tools'));
    await client.call('changing-tools__add_tool', { name: 'late' });
    await client.line((line) => line.includes('notifications/tools/list_changed'));
    await expect(client.serverTools()).resolves.toContain('changing-tools__late');
  });

  it('reads and subscribes to resources, and gets prompts', async () => {
    await using rig = await twoNodes();
    const [first] = rig.nodes;
    const { command, args } = fixtureCommand('resources-many');
    const spec = { command, args: [...args, 'memo:one'] };
    await first?.member.publish('memo', { spec }, true);
    await first?.member.publish(
      'texts',
      { spec: { command, args: [...fixtureCommand('prompts-many').args, 'hello'] } },
      true,
    );
    await Promise.all(
      rig.nodes.flatMap(({ mux }) => [untilRunning(mux, 'memo'), untilRunning(mux, 'texts')]),
    );
    const client = await rig.client(rig.otherThan(rig.ownerOf('memo')));
    await client.request('resources/subscribe', { uri: 'memo:one' });
    await client.call('memo__touch', { uri: 'memo:one' });
    await client.line((line) => line.includes('notifications/resources/updated'));
    expect(client.notified('notifications/resources/updated')).toEqual([{ uri: 'memo:one' }]);
    expect((await client.request('resources/read', { uri: 'memo:one' })).error).toBeUndefined();
    const other = await rig.client(rig.otherThan(rig.ownerOf('texts')));
    expect((await other.request('prompts/get', { name: 'texts__hello' })).error).toBeUndefined();
  });

  it('gets log messages of the level that it has set', async () => {
    await using rig = await twoNodes();
    const client = await rig.client(await remote(rig, 'logging'));
    await client.request('logging/setLevel', { level: 'warning' });
    await client.call('logging__log', { level: 'info', logger: 'l', data: 'quiet' });
    await client.call('logging__log', { level: 'error', logger: 'l', data: 'loud' });
    const reported = await client.line((line) => line.includes('notifications/message'));
    expect(reported).toContain('loud');
  });

  it('gets a result that is longer than a message of the cluster', async () => {
    await using rig = await twoNodes({ maxMessageBytes: 1000 });
    const client = await rig.client(await remote(rig, 'oversized'));
    const { result } = await client.call('oversized__big', { bytes: 300_000 });
    expect(textOf(result)).toHaveLength(300_000);
  });

  it('speaks to a server of 2026-07-28, also without a session', async () => {
    await using rig = await twoNodes();
    const node = await remote(rig, 'modern-asking');
    const client = new MuxClient(node.mux);
    client.send(modernLine('"l"', 'tools/list'));
    expect(await client.responseLine('"l"')).toContain('modern-asking__');
  });
});
