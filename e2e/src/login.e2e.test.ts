import { LoginGate } from '@mcpmux/test-servers/login-gate';
import { RemoteServer } from '@mcpmux/test-servers/remote-server';
import { expect, it } from 'vitest';

import { Person } from './testing/person.js';

const PAGE = /http:\/\/127\.0\.0\.1\S+\/authorize\S+/;

it('S13: a person logs in to a server at a url, uses it, and logs out', async () => {
  await using server = await RemoteServer.open();
  const gate = new LoginGate(server);
  await using person = await Person.arrive();
  await person.configure({ mcpServers: { far: { url: server.url } } });
  const login = person.start('login', 'far');
  const page = await login.reported(PAGE);
  expect(await (await fetch(page)).text()).toContain('You can close this page');
  expect(await login.ended).toMatchObject({ code: 0, stdout: '' });
  gate.expire();
  expect(await person.mcpmux('call', 'far.echo', 'message=hi')).toMatchObject({ code: 0, stdout: 'hi\n' });
  expect(await person.mcpmux('logout', 'far')).toMatchObject({ code: 0 });
  const { code, stderr } = await person.mcpmux('call', 'far.echo', 'message=hi');
  expect({ code, stderr }).toMatchObject({ code: 4, stderr: expect.stringContaining('mcpmux login far') });
});
