import { EventEmitter, once } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';

import { expect, it } from 'vitest';

import { FrontRig } from './testing/front-rig.js';

const ANN = { id: 'ann', roles: [], rights: [] };

/** Credentials that know `ann`, and `later` only once they are told to. */
class SlowCredentials extends EventEmitter {
  async principalOf(authorization?: string): Promise<typeof ANN> {
    if (authorization === 'later') {
      const known = once(this, 'known');
      this.emit('asked');
      await known;
    }
    return ANN;
  }
}

it.each(['/sse', '/mcp'])(
  'I8: who leaves while its token is looked at leaves nothing behind at %s',
  async (path) => {
    const credentials = new SlowCredentials();
    await using rig = await FrontRig.guarded({ sse: true, entrance: { credentials, metadata: undefined } });
    const session = await rig.session('2025-11-25', {}, { authorization: 'ann' });
    const headers = [
      `GET ${path} HTTP/1.1`,
      `Host: ${rig.url.host}`,
      'Accept: text/event-stream',
      'Authorization: later',
      `Mcp-Session-Id: ${session['mcp-session-id']}`,
    ];
    const asked = once(credentials, 'asked');
    const socket = rig.socket();
    socket.write(`${headers.join('\r\n')}\r\n\r\n`);
    await asked;
    socket.destroy();
    await rig.noConnection();
    await turn();
    credentials.emit('known');
    await turn();
    rig.clock.now += 1000;
    // Only the session from before, in which nothing is open.
    expect(rig.links).toHaveLength(1);
    expect(rig.front.sessions.openSessions.map(({ idleMs }) => idleMs)).toEqual([1000]);
  },
);
