import { AuthorizationReach } from '@mcpmux/remote';
import { sdkLogin } from '@mcpmux/remote/logins';
import { LoginGate } from '@mcpmux/test-servers/login-gate';
import { RemoteServer } from '@mcpmux/test-servers/remote-server';
import { describe, expect, it } from 'vitest';

import { LOGIN_PROBE } from '../server/dialect/legacy/handshake.js';
import { visited } from '../testing/logged-in.js';

const REFUSED = 'an address of this machine or a private network';

/** A login to a server as if it answered from the public internet. */
function logInFromPublic({ url }: RemoteServer): Promise<unknown> {
  const reach = new AuthorizationReach();
  reach.note('1.1.1.1');
  const redirectUrl = new URL('http://127.0.0.1:4711/callback');
  return sdkLogin({ url, redirectUrl, authorize: visited }, LOGIN_PROBE, { reach });
}

describe('I17: a server of the public internet sends a login to no private address', () => {
  it('by naming its authorization server', async () => {
    await using far = await RemoteServer.open();
    await using inside = await RemoteServer.open();
    new LoginGate(far).moveTo(new LoginGate(inside));
    await expect(logInFromPublic(far)).rejects.toThrow(REFUSED);
    expect(inside.requests).toEqual([]);
  });

  it.each(['token_endpoint', 'registration_endpoint', 'authorization_endpoint'])(
    'by a %s in its metadata',
    async (endpoint) => {
      await using far = await RemoteServer.open();
      await using inside = await RemoteServer.open();
      void new LoginGate(far, { metadata: { [endpoint]: `http://127.0.0.1:${inside.port}/inside` } });
      await expect(logInFromPublic(far)).rejects.toThrow(REFUSED);
      expect(inside.requests).toEqual([]);
    },
  );
});
