import { describe, expect, it } from 'vitest';
import { lone, retryOf } from '@mcpmux/core/testing/stateless-call';

import { ClusterRig, type RigNode } from './testing/cluster-rig.js';
import { MemoryNetwork } from './memory-network.js';

const PARAMS = { message: 'sure?', requestedSchema: { type: 'object', properties: {} } };
const ARGUMENTS = { method: 'elicitation/create', params: PARAMS };
/** A call whose legacy server asks the user, and waits for the answer. */
const CALL = { name: 'interactive__ask', arguments: ARGUMENTS };
const VIA = { name: 'call_tool', arguments: { name: CALL.name, arguments: ARGUMENTS } };

const ANN = { id: 'ann', roles: ['dev'], rights: [] };
const BOB = { id: 'bob', roles: ['dev'], rights: [] };

interface Three {
  readonly owner: RigNode;
  readonly first: RigNode;
  readonly second: RigNode;
}

/** A legacy server that asks on one of three nodes. */
async function asking(rig: ClusterRig): Promise<Three> {
  for (const name of ['a', 'b', 'c']) await rig.node(name);
  const owner = await rig.server('interactive');
  const [first, second] = rig.nodes.filter((node) => node !== owner);
  if (first === undefined || second === undefined) throw new Error('there are too few nodes');
  return { owner, first, second };
}

function openRig(): Promise<ClusterRig> {
  const network = new MemoryNetwork();
  return ClusterRig.open(() => Promise.resolve(network.join()));
}

describe('the retry of a call that waits on the node that runs its server', () => {
  it.each<readonly [keyof Three, keyof Three]>([
    ['first', 'first'],
    ['first', 'second'],
    ['first', 'owner'],
    ['owner', 'first'],
    ['owner', 'owner'],
  ])('that began on the %s goes on from the %s, and only once', async (began, goesOn) => {
    await using rig = await openRig();
    const nodes = await asking(rig);
    const asked = await lone(nodes[began], CALL, ANN);
    expect(asked).toMatchObject({ resultType: 'input_required' });
    const retry = retryOf(CALL, asked);
    const done = await lone(nodes[goesOn], retry, ANN);
    expect(done).toMatchObject({ resultType: 'complete' });
    expect(done.content?.[0]?.text).toContain('accept');
    await expect(lone(nodes[goesOn], retry, ANN)).rejects.toThrow('it was used before');
    await expect(lone(nodes[began], retry, ANN)).rejects.toThrow('it was used before');
  });

  it.each<keyof Three>(['first', 'owner'])(
    'that began on the %s is refused on every node for another principal, and for other arguments',
    async (began) => {
      await using rig = await openRig();
      const nodes = await asking(rig);
      const retry = retryOf(CALL, await lone(nodes[began], CALL, ANN));
      const other = { ...retry, arguments: { ...ARGUMENTS, method: 'roots/list' } };
      for (const node of [nodes.owner, nodes.first, nodes.second]) {
        await expect(lone(node, retry, BOB)).rejects.toThrow('it was given to another client');
        await expect(lone(node, retry)).rejects.toThrow('it was given to another client');
        await expect(lone(node, other, ANN)).rejects.toThrow('it belongs to a request with other params');
      }
      await expect(lone(nodes.second, retry, ANN)).resolves.toMatchObject({ resultType: 'complete' });
    },
  );

  it('is refused for a client that names the principal itself, as nodes do among themselves', async () => {
    await using rig = await openRig();
    const { owner, first, second } = await asking(rig);
    const retry = retryOf(CALL, await lone(first, CALL, ANN));
    const { id, roles } = ANN;
    const meta = {
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1', principal: { id, roles } },
    };
    for (const node of [owner, first, second])
      await expect(lone(node, retry, BOB, meta)).rejects.toThrow('it was given to another client');
  });

  it.each<readonly [keyof Three, keyof Three]>([
    ['first', 'second'],
    ['first', 'owner'],
    ['owner', 'second'],
  ])('by call_tool goes on, from the %s to the %s', async (began, goesOn) => {
    await using rig = await openRig();
    const nodes = await asking(rig);
    const asked = await lone(nodes[began], VIA, ANN);
    expect(asked).toMatchObject({ resultType: 'input_required' });
    await expect(lone(nodes[goesOn], retryOf(VIA, asked), ANN)).resolves.toMatchObject({
      resultType: 'complete',
    });
  });

  it('is refused when the node has gone', async () => {
    await using rig = await openRig();
    const { owner, first } = await asking(rig);
    const retry = retryOf(CALL, await lone(first, CALL, ANN));
    await owner.member.close();
    await expect
      .poll(() => lone(first, retry, ANN).catch(String), { timeout: 20_000 })
      .toContain('the mcpmux that gave it out is another one, or has ended');
  });
});
