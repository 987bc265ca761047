import { expect, it } from 'vitest';

import { GuardedServer, MemoryLogins } from '../testing/logged-in.js';
import { MuxRig, textOf } from '../testing/mux-rig.js';

const CLIENT = { clientId: 'known', clientSecret: 'cl1ent-s3cret' };

it('I18: at another authorization server mcpmux is another client, and no token goes there', async () => {
  await using old = await GuardedServer.open();
  await using next = await GuardedServer.open({ tokenName: 'next' });
  const logins = new MemoryLogins();
  await logins.save(old.url, await old.logIn());
  await using rig = await MuxRig.open({}, {}, { logins });
  await rig.mux.addServer('far', { url: old.url, login: true });
  old.gate.moveTo(next.gate);
  const { result } = await rig.client.call('far__echo', { message: 'x' });
  expect(textOf(result)).toContain('mcpmux login far');
  expect(next.server.requests).toEqual([]);
  await logins.save(old.url, await old.logIn({ previous: await logins.load(old.url) }));
  expect(next.gate.registered).toHaveLength(1);
  expect(JSON.stringify(next.server.requests)).not.toMatch(/access-|refresh-/);
  expect(textOf((await rig.client.call('far__echo', { message: 'in' })).result)).toBe('in');
});

it('I18: a client that is known to one authorization server is not shown to another', async () => {
  await using old = await GuardedServer.open({ client: CLIENT.clientId });
  await using next = await GuardedServer.open({ client: CLIENT.clientId });
  const previous = await old.logIn({ client: CLIENT });
  old.gate.moveTo(next.gate);
  const moved = old.logIn({ client: CLIENT, previous });
  await expect(moved).rejects.toThrow(/client "known" belongs to http\S+, and .* names http/);
  expect([...next.gate.authorized, ...next.gate.asked]).toEqual([]);
  await expect(old.logIn({ client: CLIENT })).resolves.toMatchObject({ client: { client_id: 'known' } });
});
