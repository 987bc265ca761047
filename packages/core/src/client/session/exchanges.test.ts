import { describe, expect, it } from 'vitest';

import { SessionRig } from '../../testing/session-rig.js';
import { SessionsRig } from '../../testing/sessions-rig.js';

const LIST = '{"jsonrpc":"2.0","id":"b","method":"tasks/list"}';

/** A client that has asked for the tasks of a server, which has not answered. */
async function listing() {
  const rig = new SessionsRig();
  const server = rig.server('s', { capabilities: { tasks: { list: {} } } });
  const client = await rig.client();
  await client.exchange(LIST);
  return { rig, server, client };
}

describe('a request that its handler answers later', () => {
  it('is open from the moment it is read: another of its id is refused', async () => {
    const { client } = await listing();
    const [refusal] = await client.exchange('{"jsonrpc":"2.0","id":"b","method":"ping"}');
    expect(refusal).toContain('"error":{"code":-32600');
  });

  it('is answered with what the handler gives', async () => {
    const { client, server } = await listing();
    await server.exchange('{"jsonrpc":"2.0","id":1,"result":{"tasks":[]}}');
    expect(client.lines).toEqual(['{"jsonrpc":"2.0","id":"b","result":{"tasks":[]}}']);
  });

  it('is answered with an error when the handler fails', async () => {
    const rig = new SessionRig();
    Object.assign(rig.session.view.directory, {
      snapshot: () => {
        throw new Error('defect');
      },
    });
    await expect(rig.exchange(LIST)).resolves.toEqual([
      '{"jsonrpc":"2.0","id":"b","error":{"code":-32603,"message":"defect"}}',
    ]);
  });

  it('is answered to nobody after it was cancelled: its id may be that of another', async () => {
    const { client, server } = await listing();
    await client.exchange('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"b"}}');
    await server.exchange('{"jsonrpc":"2.0","id":1,"result":{"tasks":[]}}');
    expect(client.lines).toEqual([]);
    await expect(client.request('"b"', 'ping')).resolves.toHaveLength(1);
  });

  it('is answered with an error when there is no more time', async () => {
    const { rig, client } = await listing();
    const finished = client.session.finish(0);
    rig.clock.advance(0);
    await finished;
    await client.waitUntilEnded();
    expect(client.lines).toEqual([
      '{"jsonrpc":"2.0","id":"b","error":{"code":-32603,"message":"mcpmux shut down before it could answer"}}',
    ]);
  });
});
