import { approvals } from '@mcpmux/core/guards';
import { DualClient } from '@mcpmux/core/testing/dual-client';
import { dualProgram } from '@mcpmux/core/testing/dual-program';
import { MuxClient } from '@mcpmux/core/testing/mux-client';
import { lone, retryOf } from '@mcpmux/core/testing/stateless-call';
import { describe, expect, it } from 'vitest';

import { ClusterRig, untilRunning, type RigNode } from './testing/cluster-rig.js';
import { MemoryNetwork } from './memory-network.js';

const ANN = { id: 'ann', roles: [], rights: [] };
const ECHO = { name: 'echo__echo', arguments: { message: 'm' } };

/** Every call of a tool needs an approval on this node. Returns the questions that its desk was asked so far. */
function asks({ mux }: RigNode): readonly string[] {
  const asked: string[] = [];
  mux.use(approvals({ rules: [{}], desk: mux.approvals }));
  mux.approvals.watch(({ tool }) => asked.push(tool));
  return asked;
}

async function modernText({ mux }: RigNode): Promise<string> {
  return (await DualClient.open(mux, 'modern')).call('ask_by_input');
}

/** Calls the tool that asks, and accepts the question of mcpmux and the one of the server. */
async function legacyText({ mux }: RigNode): Promise<string> {
  const client = await MuxClient.initialized(mux, { elicitation: {} });
  const answer = client.call('v__ask_by_input');
  for (const text of ['the tool', 'Well?']) {
    const question = await client.line((line) => line.includes('elicitation/create') && line.includes(text));
    const { id } = JSON.parse(question) as { readonly id: unknown };
    client.answer(id, { action: 'accept', content: { v: 'so' } });
  }
  return JSON.stringify(await answer).replaceAll('\\', '');
}

async function twoNodes(server: 'echo' | 'modern-tasks' | 'dual'): Promise<[ClusterRig, RigNode, RigNode]> {
  const network = new MemoryNetwork();
  const rig = await ClusterRig.open(() => Promise.resolve(network.join()));
  const first = await rig.node('a');
  await rig.node('b');
  if (server !== 'dual') {
    const owner = await rig.server(server);
    return [rig, rig.otherThan(owner), owner];
  }
  await first.member.publish('v', { spec: { ...(await dualProgram()) } }, true);
  await Promise.all(rig.nodes.map(({ mux }) => untilRunning(mux, 'v')));
  const owner = rig.ownerOf('v');
  return [rig, rig.otherThan(owner), owner];
}

describe('E12: a call that needs an approval, of a server on another node', () => {
  it.each(['legacy', 'modern'] as const)(
    'is asked about once, by the node of the client, also if its server asks something itself: %s',
    async (era) => {
      const [opened, other, owner] = await twoNodes('dual');
      await using _ = opened;
      const [here, there] = [asks(other), asks(owner)];
      const text = era === 'modern' ? modernText(other) : legacyText(other);
      expect(await text).toContain('"so"');
      expect([here, there]).toEqual([['ask_by_input'], []]);
    },
  );

  it('is asked about once if its server requires a task, which its client does not know', async () => {
    const [opened, other, owner] = await twoNodes('modern-tasks');
    await using _ = opened;
    const [here, there] = [asks(other), asks(owner)];
    other.mux.approvals.watch(({ id }) => other.mux.approvals.answer(id, { isAllowed: true }));
    owner.mux.approvals.watch(({ id }) => owner.mux.approvals.answer(id, { isAllowed: true }));
    const client = await MuxClient.initialized(other.mux);
    expect((await client.call('modern-tasks__must')).result).not.toMatchObject({ isError: true });
    expect([here, there]).toEqual([['must'], []]);
  });

  it('is asked about by the node that runs the server if only that one has a rule', async () => {
    const [opened, other, owner] = await twoNodes('echo');
    await using _ = opened;
    const there = asks(owner);
    const asked = await lone(other, ECHO, ANN);
    expect(JSON.stringify(asked.inputRequests)).toContain('echo');
    expect((await lone(other, retryOf(ECHO, asked), ANN)).content).toMatchObject([{ text: 'm' }]);
    expect(there).toEqual(['echo']);
    const again = await lone(other, ECHO, ANN);
    expect(again.inputRequests).toBeDefined();
  });

  it('is not approved by a client that names an approval itself, on either node', async () => {
    const [opened, other, owner] = await twoNodes('echo');
    await using _ = opened;
    const identities: string[] = [];
    const stop = owner.mux.use('tools/call', ({ toolIdentity }, next) => {
      identities.push(toolIdentity?.definition ?? '');
      return next();
    });
    await lone(owner, ECHO, ANN);
    stop();
    asks(owner);
    const info = { name: 't', version: '1', approved: identities[0] };
    const meta = { 'io.modelcontextprotocol/clientInfo': info };
    for (const node of [owner, other])
      expect((await lone(node, ECHO, ANN, meta)).inputRequests).toBeDefined();
  });

  it('does not pass on one node by an approval on the other', async () => {
    const [opened, other, owner] = await twoNodes('echo');
    await using _ = opened;
    asks(other);
    asks(owner);
    const clients = await Promise.all([other, owner].map(({ mux }) => DualClient.open(mux, 'legacy', {})));
    for (const { mux } of [other, owner])
      mux.approvals.watch(({ id, scopes }) => {
        const scope = scopes.includes('session') ? 'session' : 'once';
        mux.approvals.answer(id, { isAllowed: true, scope });
      });
    const seen: number[] = [];
    for (const [index, { wire }] of clients.entries()) {
      const { mux } = index === 0 ? other : owner;
      const stop = mux.approvals.watch(() => seen.push(index));
      for (let call = 0; call < 2; call += 1) await wire.call(ECHO.name, ECHO.arguments);
      stop();
    }
    expect(seen).toEqual([0, 1]);
  });
});
