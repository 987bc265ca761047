import { describe, expect, it } from 'vitest';

import { connected, type Connected } from '../../../testing/connected.js';
import { nextTurn } from '@mcpmux/testing/next-turn';
import { NO_CLIENT } from '../client-profile.js';
import type { ServerIdentity } from '../server-identity.js';
import { initialize } from './handshake.js';
import { LEGACY_VERSIONS } from '../revisions.js';

const CLIENT_INFO = { name: 'mcpmux', version: '1.2.3' };

/** Initializes a server that answers with this result. */
async function initializeWith(result: string): Promise<ServerIdentity> {
  const { connection, server } = connected();
  const identity = initialize(connection, CLIENT_INFO, NO_CLIENT, 1000);
  server.answer(1, result);
  return identity;
}

function sent({ server }: Connected): unknown[] {
  return server.received.map((line) => JSON.parse(line) as unknown);
}

describe('the handshake', () => {
  it('G6: tells the server what the client has declared, in the revision of the client', async () => {
    const rig = connected();
    const profile = { protocolVersion: '2025-06-18', capabilities: { roots: {}, x: 1 } } as const;
    void initialize(rig.connection, CLIENT_INFO, profile, 1000);
    await nextTurn();
    expect(sent(rig)).toMatchObject([{ params: { ...profile, clientInfo: CLIENT_INFO } }]);
  });

  it('without a client asks for the newest revision and declares nothing, and says who mcpmux is', async () => {
    const rig = connected();
    void initialize(rig.connection, CLIENT_INFO, NO_CLIENT, 1000);
    await nextTurn();
    expect(sent(rig)).toEqual([
      {
        jsonrpc: '2.0',
        id: 1,
        method: 'initialize',
        params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: CLIENT_INFO },
      },
    ]);
  });

  it('says that it is done, after the answer and not before', async () => {
    const rig = connected();
    const identity = initialize(rig.connection, CLIENT_INFO, NO_CLIENT, 1000);
    await nextTurn();
    expect(rig.server.received).toHaveLength(1);
    rig.server.answer(1, '{"protocolVersion":"2025-11-25","capabilities":{}}');
    await identity;
    await nextTurn();
    expect(sent(rig).slice(1)).toEqual([{ jsonrpc: '2.0', method: 'notifications/initialized' }]);
  });

  it.each(['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07'])(
    'accepts a server of revision %s',
    async (version) => {
      const answer = `{"protocolVersion":"${version}","capabilities":{"tools":{}},"instructions":"be kind"}`;
      await expect(initializeWith(answer)).resolves.toEqual({
        protocolVersion: version,
        capabilities: { tools: {} },
        instructions: 'be kind',
      });
      expect(LEGACY_VERSIONS).toContain(version);
    },
  );

  it('keeps capabilities that it has never heard of', async () => {
    const answer = '{"protocolVersion":"2025-06-18","capabilities":{"experimental":{"x/y":{"z":1}}}}';
    await expect(initializeWith(answer)).resolves.toMatchObject({
      capabilities: { experimental: { 'x/y': { z: 1 } } },
    });
  });

  it.each([
    ['capabilities', '{"protocolVersion":"2025-06-18","instructions":"x"}'],
    [
      'capabilities that are an object',
      '{"protocolVersion":"2025-06-18","capabilities":[1],"instructions":"x"}',
    ],
  ])('takes a server without %s for one that has none', async (_, answer) => {
    await expect(initializeWith(answer)).resolves.toMatchObject({ capabilities: {} });
  });

  it.each(['null', '7', '["x"]'])('ignores instructions that are no text (%s)', async (instructions) => {
    const answer = `{"protocolVersion":"2025-06-18","capabilities":{},"instructions":${instructions}}`;
    await expect(initializeWith(answer)).resolves.toMatchObject({ instructions: undefined });
  });

  const KNOWN = '(known: 2025-11-25, 2025-06-18, 2025-03-26, 2024-11-05, 2024-10-07)';

  it.each([
    ['without protocolVersion', '{"capabilities":{}}', `protocolVersion is missing ${KNOWN}`],
    ['that is no object', '"2025-11-25"', `protocolVersion is missing ${KNOWN}`],
    ['that is null', 'null', `protocolVersion is missing ${KNOWN}`],
    [
      'with an unknown protocolVersion',
      '{"protocolVersion":"1999-01-01"}',
      `protocolVersion "1999-01-01" is unknown ${KNOWN}`,
    ],
    [
      'with a protocolVersion that is no text',
      '{"protocolVersion":20251125}',
      `protocolVersion 20251125 is unknown ${KNOWN}`,
    ],
  ])('fault A5: refuses an answer %s and names the field', async (_, answer, message) => {
    await expect(initializeWith(answer)).rejects.toMatchObject({ name: 'OwnRequestError', message });
  });

  it('is not completed with a server that was refused', async () => {
    const rig = connected();
    const identity = initialize(rig.connection, CLIENT_INFO, NO_CLIENT, 1000);
    rig.server.answer(1, '{}');
    await expect(identity).rejects.toThrow('protocolVersion is missing');
    await nextTurn();
    expect(rig.server.received).toHaveLength(1);
  });

  it('fault A7: takes the first answer: a second one is dropped', async () => {
    const rig = connected();
    const identity = initialize(rig.connection, CLIENT_INFO, NO_CLIENT, 1000);
    rig.server.answer(1, '{"protocolVersion":"2025-06-18","capabilities":{}}');
    rig.server.answer(1, '{"protocolVersion":"2024-11-05","capabilities":{}}');
    await expect(identity).resolves.toMatchObject({ protocolVersion: '2025-06-18' });
    expect(rig.connection.droppedLineCount).toBe(1);
  });

  it('ends at its deadline', async () => {
    const { connection, clock } = connected();
    const identity = initialize(connection, CLIENT_INFO, NO_CLIENT, 1000);
    clock.advance(1000);
    await expect(identity).rejects.toMatchObject({ timedOut: true });
  });
});
