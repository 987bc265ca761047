import { describe, expect, it } from 'vitest';

import { hasPython, inPython } from './install-peers.js';
import { clientCases, seenBy, sightOf } from './peer-client.js';
import { asExpected, lookedAt, serverCases, withServer } from './peer-server.js';

const SERVERS = [
  ...serverCases('mcp 2.3.0', inPython('mcp_server.py')),
  ...serverCases('FastMCP 4.0.11', inPython('fastmcp_server.py')),
];
const CLIENTS = clientCases({ auto: '2026-07-28', '2026-07-28': '2026-07-28', legacy: '2025-11-25' });

describe.skipIf(!hasPython())('peers in Python', () => {
  it.each(SERVERS)(
    'a server on $peer that negotiated $revisions.server over $transport is used by a client of $revisions.client',
    async (one) => {
      await withServer(one, async (client) => {
        expect(await lookedAt(client)).toEqual(asExpected(one.revisions.server));
      });
    },
  );

  it.each(CLIENTS)(
    'a client on mcp 2.3.0 ($mode) that negotiated $revision over $transport uses a $protocol server on SDK 2.4.0, and is asked',
    async (one) => {
      expect(await seenBy(inPython('mcp_client.py'), one)).toMatchObject(sightOf(one.revision));
    },
  );
});
