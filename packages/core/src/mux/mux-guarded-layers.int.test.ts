import { fixtureCommand } from '@mcpmux/test-servers';
import { describe, expect, it } from 'vitest';

import { accessControl, concurrency } from '../guards/index.js';
import type { Principal } from '../guards/principal.js';
import { createMux, type Mux } from '../index.js';
import { MuxClient } from '../testing/mux-client.js';

const ANN: Principal = { id: 'ann', roles: [], rights: [] };
const BOB: Principal = { id: 'bob', roles: [], rights: [] };
const PROMPTS = fixtureCommand('prompts-many');

interface Clients {
  readonly mux: Mux;
  readonly ann: MuxClient;
  readonly bob: MuxClient;
  readonly outside: MuxClient;
}

/** Ann and Bob in one workspace, Ann once more outside of it, and a server in each layer that Ann sees. */
async function clientsOf(mux: Mux): Promise<Clients> {
  const ann = await MuxClient.initialized(mux, {}, { principal: ANN, workspace: 'w', isolated: true });
  const bob = await MuxClient.initialized(mux, {}, { principal: BOB, workspace: 'w' });
  const outside = await MuxClient.initialized(mux, {}, { principal: ANN });
  await mux.addServer('common', PROMPTS);
  await bob.manage('add_server', { name: 'team', ...PROMPTS });
  await ann.manage('add_server', { name: 'mine', ...PROMPTS });
  return { mux, ann, bob, outside };
}

/** The servers of whose entries a list of the client consists. */
async function serversIn(client: MuxClient, list: 'tools' | 'prompts'): Promise<readonly string[]> {
  const { result } = await client.request(`${list}/list`);
  const entries = (result?.[list] ?? []) as readonly { readonly name: string }[];
  const servers = entries.map(({ name }) => name.split('__')).filter(({ length }) => length > 1);
  return [...new Set(servers.map(([server = '']) => server))];
}

describe('what a client sees', () => {
  it('H5, A12: is what is seen from its layer, also where guards let everybody see everything', async () => {
    await using mux = createMux();
    const { ann, bob, outside } = await clientsOf(mux);
    mux.use(accessControl({ rules: [{}] }));
    for (const list of ['tools', 'prompts'] as const) {
      expect(await serversIn(ann, list)).toEqual(['common', 'team', 'mine']);
      expect(await serversIn(bob, list)).toEqual(['common', 'team']);
      expect(await serversIn(outside, list)).toEqual(['common']);
    }
    for (const other of [bob, outside]) expect((await other.call('mine__names')).error).toBeDefined();
  });

  it('A12: is without what guards hide from its principal by name, also of its workspace and its own', async () => {
    await using mux = createMux();
    const { ann, bob } = await clientsOf(mux);
    mux.use(accessControl({ rules: [{ servers: ['team', 'mine'], principals: ['ann'], allow: false }, {}] }));
    for (const list of ['tools', 'prompts'] as const) {
      expect(await serversIn(ann, list)).toEqual(['common']);
      expect(await serversIn(bob, list)).toEqual(['common', 'team']);
    }
    for (const name of ['team', 'mine']) {
      expect(await ann.call(`${name}__names`)).toMatchObject({ error: { data: { reason: 'forbidden' } } });
      expect((await ann.request('prompts/get', { name: `${name}__greet` })).error).toBeDefined();
    }
    expect(await ann.manage('list_servers')).toMatchObject({ servers: [{ name: 'common' }] });
  });

  it('A12: is without a tool of its own server that is closed to its principal', async () => {
    await using mux = createMux();
    const { ann } = await clientsOf(mux);
    mux.use(accessControl({ rules: [{ servers: ['mine'], tools: ['*'], allow: false }, {}] }));
    expect(await serversIn(ann, 'tools')).toEqual(['common', 'team']);
    expect(await serversIn(ann, 'prompts')).toEqual(['common', 'team', 'mine']);
  });

  it('A12: under a name that is open to it is its own server of that name as well', async () => {
    await using mux = createMux();
    const { ann, outside } = await clientsOf(mux);
    mux.use(accessControl({ rules: [{ servers: ['mine'] }] }));
    expect(await serversIn(ann, 'tools')).toEqual(['mine']);
    expect(await serversIn(outside, 'tools')).toEqual([]);
  });
});

it('A12: calls of servers of one name that different clients have do not wait for each other', async () => {
  await using mux = createMux();
  await mux.addServer('hold', { ...fixtureCommand('hold-calls'), isolation: 'session' });
  const one = await MuxClient.initialized(mux);
  await one.listChanged(1);
  const two = await MuxClient.initialized(mux);
  expect(await two.call('hold__release', { key: 'nobody' })).toHaveProperty('result');
  mux.use(concurrency({ tools: ['hold'], max: 1, maxWaiting: 0 }));
  const held = one.call('hold__hold', { key: 'k' });
  const [others, own] = [two.call('hold__hold', { key: 'k' }), one.call('hold__hold', { key: 'l' })];
  expect(await own).toMatchObject({ error: { data: { reason: 'busy', server: 'hold' } } });
  for (const client of [one, two]) await client.call('hold__release', { key: 'k' });
  expect(await held).toHaveProperty('result');
  expect(await others).toHaveProperty('result');
});
