import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { MarkedMux, type MarkedClient } from '../testing/marked-mux.js';

/** What happens next: who does it, and to what, as far as there are so many. */
interface Step {
  readonly kind: 'open' | 'add' | 'remove' | 'reload' | 'reach' | 'look' | 'speak' | 'crash' | 'leave';
  readonly by: number;
  readonly to: number;
  readonly name: 'a' | 'b' | undefined;
  readonly isolated: boolean;
}

const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom<Step['kind']>(
    'open',
    'add',
    'add',
    'add',
    'remove',
    'reload',
    'reach',
    'reach',
    'reach',
    'look',
    'look',
    'speak',
    'speak',
    'crash',
    'leave',
  ),
  by: fc.nat({ max: 5 }),
  to: fc.nat({ max: 9 }),
  name: fc.constantFrom('a', 'b', undefined),
  isolated: fc.boolean(),
});

async function take(rig: MarkedMux, { kind, by, to, name, isolated }: Step): Promise<void> {
  if (kind === 'open') return rig.open({ isolated });
  const present = rig.clients.filter(({ isGone }) => !isGone);
  const client = present[by % Math.max(1, present.length)];
  const server = rig.servers[to % Math.max(1, rig.servers.length)];
  if (client === undefined) return;
  if (kind === 'add') return rig.add(client, name);
  if (kind === 'look') return rig.look(client, name ?? 'a');
  if (kind === 'leave') return rig.leave(client);
  if (kind === 'remove' || kind === 'reload') {
    await client.client.call(`${kind}_server`, { name: name ?? 'a' });
    return;
  }
  if (server === undefined) return;
  if (kind === 'reach') return rig.reach(client, server);
  if (kind === 'speak') return rig.speak(server);
  rig.crash(server);
}

async function twoClients(rig: MarkedMux): Promise<readonly [MarkedClient, MarkedClient]> {
  await rig.open({ isolated: true });
  await rig.open({ isolated: true });
  const [one, two] = rig.clients;
  if (one === undefined || two === undefined) throw new Error('two clients were opened');
  return [one, two];
}

describe('what isolated clients add', () => {
  it('H5: whatever happens, no client sees or reaches what another has added for itself', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 15, maxLength: 40, size: 'max' }), async (steps) => {
        await using rig = new MarkedMux();
        await twoClients(rig);
        for (const next of steps) await take(rig, next);
        for (const client of rig.clients.filter(({ isGone }) => !isGone)) await rig.look(client, 'a');
        expect(rig.leaks).toEqual([]);
      }),
      { numRuns: 20 },
    );
  }, 60_000);

  it('H5: is listed to them and called by them, also where two have given the same name', async () => {
    await using rig = new MarkedMux();
    const [one, two] = await twoClients(rig);
    await rig.add(one, 'a');
    await rig.add(two, 'a');
    await expect(one.client.serverTools()).resolves.toEqual(['a__t0', 'a__secretMARK0x']);
    const { result } = await two.client.call('a__t1');
    expect(result).toMatchObject({ content: [{ name: 'MARK1x' }] });
    expect(one.client.count('notifications/tools/list_changed')).toBeLessThanOrEqual(1);
  });

  it('H5: is gone when they have gone', async () => {
    await using rig = new MarkedMux();
    const [one] = await twoClients(rig);
    await rig.add(one, undefined);
    const [server] = rig.servers;
    if (server === undefined) throw new Error('a server was added');
    const ended = rig.ended(server);
    await rig.leave(one);
    await expect(ended).resolves.toBeUndefined();
  });
});
