import { describe, expect, it } from 'vitest';

import { oversizedLine } from '../../testing/oversized-line.js';
import { SessionsRig, type RigClient, type RigServer } from '../../testing/sessions-rig.js';

const ALL = { sampling: {}, elicitation: {}, roots: {} };
const SAMPLE = '{"messages":[],"maxTokens":1}';

/** One client and one server, which has asked for a sample as `"q"` with progress token `7`. */
async function asked(): Promise<{
  readonly rig: SessionsRig;
  readonly client: RigClient;
  readonly server: RigServer;
}> {
  const rig = new SessionsRig();
  const server = rig.server('s', { tools: ['get'] });
  const client = await rig.client(ALL);
  const refused = await server.ask(
    '"q"',
    'sampling/createMessage',
    '{"messages":[],"maxTokens":1,"_meta":{"progressToken":7}}',
  );
  expect(refused).toEqual([]);
  client.take();
  return { rig, client, server };
}

describe('a request of a server', () => {
  it('A10: reaches the client with another id and token, and nothing else of it changed', async () => {
    const rig = new SessionsRig();
    const server = rig.server('s');
    const client = await rig.client();
    await server.exchange(
      '{ "params":{"n":1.0,"_meta":{"progressToken":"t"},"big":12345678901234567890},"id" :-1,"method":"x/y","jsonrpc":"2.0"}',
    );
    expect(client.take()).toEqual([
      '{ "params":{"n":1.0,"_meta":{"progressToken":"mux-1"},"big":12345678901234567890},"id" :"mux-1","method":"x/y","jsonrpc":"2.0"}',
    ]);
  });

  it.each(['0', '-3', '""', '"1"', '9007199254740993', String.raw`"\u0061"`])(
    'A10: is answered with the bytes of the client and the id of the server: %s',
    async (id) => {
      const rig = new SessionsRig();
      const server = rig.server('s');
      const client = await rig.client(ALL);
      await server.ask(id, 'sampling/createMessage', SAMPLE);
      await client.exchange('{ "result" : {"n":1.0,"z":-0} ,"id":"mux-1","jsonrpc":"2.0"}');
      expect(server.received).toEqual([`{ "result" : {"n":1.0,"z":-0} ,"id":${id},"jsonrpc":"2.0"}`]);
    },
  );

  it('A10: is answered with the error of the client as it is', async () => {
    const { client, server } = await asked();
    await client.exchange(
      '{"jsonrpc":"2.0","id":"mux-1","error":{"code":-1,"message":"no","data":{"n":1.0}}}',
    );
    expect(server.received).toEqual([
      '{"jsonrpc":"2.0","id":"q","error":{"code":-1,"message":"no","data":{"n":1.0}}}',
    ]);
  });

  it('A10: is answered once, whatever the client sends', async () => {
    const { client, server } = await asked();
    const answer = '{"jsonrpc":"2.0","id":"mux-1","result":{}}';
    await client.exchange(answer, answer, '{"jsonrpc":"2.0","id":"mux-1","error":{"code":1,"message":"m"}}');
    await client.leave();
    expect(server.received).toEqual(['{"jsonrpc":"2.0","id":"q","result":{}}']);
  });

  it.each(['"mux-2"', '1', '"q"', 'null', '{}'])(
    'A10: is not answered by a response with another id: %s',
    async (id) => {
      const { client, server } = await asked();
      await client.exchange(`{"jsonrpc":"2.0","id":${id},"result":{}}`);
      expect(server.received).toEqual([]);
    },
  );

  it.each(['{"jsonrpc":"2.0","id":"mux-1"}', '{"jsonrpc":"2.0","id":"mux-1","result":{},"result":{}}'])(
    'A10: fails when the client answers garbage, and the client is not refused anything: %s',
    async (line) => {
      const { client, server } = await asked();
      await expect(client.exchange(line)).resolves.toEqual([]);
      expect(server.received).toEqual([
        expect.stringMatching(
          /^\{"jsonrpc":"2.0","id":"q","error":\{"code":-32603,"message":"The client behind/,
        ),
      ]);
    },
  );

  it('A10: fails when its answer is too long, and the client is not refused anything', async () => {
    const { client, server } = await asked();
    client.session.decoder.oversized(oversizedLine('{"jsonrpc":"2.0","id":"mux-1","result":{"a":"', '"}}'));
    await client.exchange();
    expect(server.received).toEqual([expect.stringContaining('"id":"q","error":{"code":-32603')]);
    expect(client.take()).toEqual([]);
  });
});

describe('a request of the client that cannot be read', () => {
  it('A10: is no answer to a server, even with its id, and is refused', async () => {
    const { client, server } = await asked();
    client.session.decoder.oversized(
      oversizedLine('{"jsonrpc":"2.0","id":"mux-1","method":"m","params":{"a":"', '"}}'),
    );
    const twice = '{"jsonrpc":"2.0","id":"mux-1","method":"m","method":"m"}';
    const refusals = await client.exchange(twice);
    expect(refusals.map((line): unknown => JSON.parse(line))).toMatchObject(
      Array.from({ length: 2 }, () => ({ id: 'mux-1', error: { code: -32_600 } })),
    );
    expect(server.received).toEqual([]);
  });
});

describe('the progress of a request of a server', () => {
  it('S9: comes back with the token of the server, until the answer', async () => {
    const { client, server } = await asked();
    const progress = (token: string): string =>
      `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":1.0,"progressToken":${token}}}`;
    await client.exchange(progress('"mux-1"'), progress('"mux-9"'), progress('7'));
    expect(server.received).toEqual([progress('7')]);
    await client.exchange('{"jsonrpc":"2.0","id":"mux-1","result":{}}', progress('"mux-1"'));
    expect(server.received).toHaveLength(2);
  });

  it('S9: does not come when the server gave no token', async () => {
    const rig = new SessionsRig();
    const server = rig.server('s');
    const client = await rig.client(ALL);
    await server.ask('1', 'sampling/createMessage', SAMPLE);
    await client.exchange(
      '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":1,"progressToken":"mux-1"}}',
    );
    expect(server.received).toEqual([]);
  });
});

describe('a request that its server withdraws', () => {
  it('S9: is withdrawn from the client under the id it knows, and a late answer reaches nobody', async () => {
    const { client, server } = await asked();
    await server.report('notifications/cancelled', '{"reason":"r","requestId":"q"}');
    expect(client.take()).toEqual([
      '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"reason":"r","requestId":"mux-1"}}',
    ]);
    await client.exchange('{"jsonrpc":"2.0","id":"mux-1","result":{}}');
    await client.leave();
    expect(server.received).toEqual([]);
  });

  it('S9: leaves its id free, and the answer to the first is not taken for one to the second', async () => {
    const { client, server } = await asked();
    await server.report('notifications/cancelled', '{"requestId":"q"}');
    await server.ask('"q"', 'sampling/createMessage', SAMPLE);
    const answer = (id: string): string => `{"jsonrpc":"2.0","id":"${id}","result":"${id}"}`;
    await client.exchange(answer('mux-1'), answer('mux-2'));
    expect(server.received).toEqual(['{"jsonrpc":"2.0","id":"q","result":"mux-2"}']);
  });

  it('S9: is not withdrawn by another server with the same id', async () => {
    const { rig, client, server } = await asked();
    await rig.server('other').report('notifications/cancelled', '{"requestId":"q"}');
    expect(client.take()).toEqual([]);
    await client.exchange('{"jsonrpc":"2.0","id":"mux-1","result":{}}');
    expect(server.received).toHaveLength(1);
  });
});

describe('a request of a server whose run ends', () => {
  it('A10: is withdrawn from the client, and its answer does not reach the next run', async () => {
    const { client, server } = await asked();
    await server.reload();
    expect(client.take()).toEqual([
      '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"mux-1","reason":"the server has stopped"}}',
    ]);
    await client.exchange('{"jsonrpc":"2.0","id":"mux-1","result":{}}');
    expect(server.received).toEqual([]);
  });
});

describe('a request to a client that goes away', () => {
  it('A10: fails, and is answered once', async () => {
    const { client, server } = await asked();
    await client.leave();
    expect(server.received).toEqual([
      '{"jsonrpc":"2.0","id":"q","error":{"code":-32603,"message":"The client behind mcpmux did not answer: it has gone"}}',
    ]);
  });

  it('S7: counts as cancelled when it is an elicitation', async () => {
    const rig = new SessionsRig();
    const server = rig.server('s');
    const client = await rig.client(ALL);
    await server.ask('1', 'elicitation/create', '{"message":"?"}');
    await client.leave();
    expect(server.received).toEqual(['{"jsonrpc":"2.0","id":1,"result":{"action":"cancel"}}']);
  });

  it('A10: is answered at once when it comes while the last calls of that client are finishing', async () => {
    const rig = new SessionsRig();
    const server = rig.server('s', { tools: ['get'] });
    const client = await rig.client(ALL);
    await client.request('1', 'tools/call', '{"name":"s__get"}');
    const finished = client.session.finish(1000);
    await expect(server.ask('"late"', 'elicitation/create', '{"message":"?"}')).resolves.toEqual([
      '{"jsonrpc":"2.0","id":"late","result":{"action":"cancel"}}',
    ]);
    server.peer.answer(1, '{}');
    await finished;
    expect(client.take()).toEqual(['{"jsonrpc":"2.0","id":1,"result":{}}']);
  });
});
