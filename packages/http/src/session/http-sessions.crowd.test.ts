import { fixtureCommand } from '@mcpmux/test-servers';
import fc from 'fast-check';
import { expect, it } from 'vitest';

import { FrontRig } from '../testing/front-rig.js';
import { ACTS, NonceClient } from '../testing/nonce-client.js';

const CLIENTS = 200;
const SERVERS = { e: 'echo', p: 'progress', h: 'hold-calls', i: 'interactive' } as const;

async function lifeOf(
  client: NonceClient,
  acts: readonly (typeof ACTS)[number][],
): Promise<readonly string[]> {
  const problems: string[] = [];
  for (const act of acts) {
    const problem = await client.act(act);
    if (problem !== undefined) problems.push(`${client.nonce} ${act}: ${problem}`);
  }
  return problems;
}

it('I7: of 200 clients with equal ids and tokens none sees anything of another, and nothing is left behind', async () => {
  await using rig = await FrontRig.open();
  for (const [name, fixture] of Object.entries(SERVERS))
    await rig.mux.addServer(name, fixtureCommand(fixture));
  const plans = fc.sample(fc.array(fc.constantFrom(...ACTS), { minLength: 3, maxLength: 6 }), {
    numRuns: CLIENTS,
    seed: 20_251_125,
  });
  const nonces = plans.map((_, index) => `nonce-${index}-`);
  const clients = await Promise.all(nonces.map((nonce) => NonceClient.open(rig, nonce)));
  expect(rig.front.sessions.size).toBe(CLIENTS);
  const problems = await Promise.all(clients.map((client, index) => lifeOf(client, plans[index] ?? [])));
  expect(problems.flat()).toEqual([]);
  for (const client of clients) {
    const seen = new Set([...client.text.matchAll(/nonce-\d+-/g)].map(([nonce]) => nonce));
    seen.delete(client.nonce);
    expect([...seen]).toEqual([]);
  }
  expect(clients.filter(({ text }) => text.includes('elicitation/create')).length).toBeGreaterThan(0);
  await Promise.all(clients.map((client) => client.close()));
  expect(rig.front.sessions.size).toBe(0);
  await rig.noConnection();
}, 60_000);
