import { describe, expect, it } from 'vitest';

import { COMPILED_PEERS, isBuilt } from './compiled-peers.js';
import { clientCases, seenBy, sightOf } from './peer-client.js';
import { asExpected, lookedAt, serverCases, withServer } from './peer-server.js';

describe.each(COMPILED_PEERS)('peers on $sdk', (peer) => {
  const { sdk, command, modes } = peer;
  const as = (role: string) => ({ command, args: [role], env: {} });

  it.skipIf(!isBuilt(peer)).each(serverCases(sdk, as('server')))(
    'a server on $peer that negotiated $revisions.server over $transport is used by a client of $revisions.client, and asks it',
    async (one) => {
      await withServer(one, async (client) => {
        expect(await lookedAt(client)).toEqual(asExpected(one.revisions.server));
        client.respond('elicitation/create', () => ({ action: 'accept', content: { name: 'Ada' } }));
        client.recorder.begin();
        await client.call('ask');
        const text = 'accept Ada state';
        expect(client.recorder.outcome.at(-1)).toMatchObject({ result: { content: [{ text }] } });
      });
    },
  );

  it.skipIf(!isBuilt(peer)).each(clientCases(modes))(
    `a client on ${sdk} ($mode) that negotiated $revision over $transport uses a $protocol server on SDK 2.4.0, and is asked`,
    async (one) => {
      expect(await seenBy(as('client'), one)).toMatchObject(sightOf(one.revision));
    },
  );
});
