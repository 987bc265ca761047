import { describe, expect, it } from 'vitest';

import { SessionsRig, type RigClient, type RigServer } from '../../testing/sessions-rig.js';

async function rigOf(): Promise<{
  readonly rig: SessionsRig;
  readonly client: RigClient;
  readonly server: RigServer;
}> {
  const rig = new SessionsRig();
  const server = rig.server('s', { tools: ['get'] });
  return { rig, server, client: await rig.client() };
}

describe('call_tool', () => {
  it('M5: brings the arguments to the tool byte for byte', async () => {
    const { client, server } = await rigOf();
    const args = '{ "n":12345678901234567890,"one":1.0,"zero":-0,"a":1,"a":2,"\\u0041":[ ] }';
    await client.request(
      '"c"',
      'tools/call',
      `{"arguments":{"arguments":${args},"name":"s__get"},"name":"call_tool"}`,
    );
    expect(server.received).toEqual([
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get","arguments":${args}}}`,
    ]);
    server.peer.send('{ "result":{"content":[],"n":1.0},"id":1,"jsonrpc":"2.0"}');
    await expect(client.exchange()).resolves.toEqual([
      '{ "result":{"content":[],"n":1.0},"id":"c","jsonrpc":"2.0"}',
    ]);
  });

  it('M5: needs no arguments for a tool that has none', async () => {
    const { client, server } = await rigOf();
    await client.request('1', 'tools/call', '{"name":"call_tool","arguments":{"name":"s__get"}}');
    expect(server.received).toEqual([
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get"}}',
    ]);
  });

  it("S9: brings progress back under the client's token", async () => {
    const { client, server } = await rigOf();
    const params = '{"name":"call_tool","_meta":{"x":1.0,"progressToken":"t"},"arguments":{"name":"s__get"}}';
    await client.request('1', 'tools/call', params);
    expect(server.received[0]).toContain('"_meta":{"x":1.0,"progressToken":1}');
    const progress = (token: string): string =>
      `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":${token},"progress":1}}`;
    server.peer.send(progress('1'));
    await expect(client.exchange()).resolves.toEqual([progress('"t"')]);
  });

  it('S9: is cancelled at the server of the tool', async () => {
    const { client, server } = await rigOf();
    await client.request('"c"', 'tools/call', '{"name":"call_tool","arguments":{"name":"s__get"}}');
    await client.exchange('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"c"}}');
    expect(server.received.slice(1)).toEqual([
      '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}',
    ]);
    server.peer.answer(1, '{}');
    await expect(client.exchange()).resolves.toEqual([]);
  });

  it('S8: makes a task of the call when the client asks for one', async () => {
    const { client, server } = await rigOf();
    const params = '{"name":"call_tool","task":{"ttl":60},"arguments":{"name":"s__get"}}';
    await client.request('1', 'tools/call', params);
    expect(server.received[0]).toContain('"task":{"ttl":60}');
    server.peer.answer(1, '{"task":{"taskId":"t"}}');
    await expect(client.exchange()).resolves.toEqual([
      '{"jsonrpc":"2.0","id":1,"result":{"task":{"taskId":"mux1:s:t"}}}',
    ]);
  });

  it('calls the tools of mcpmux itself', async () => {
    const { rig, client } = await rigOf();
    await client.request(
      '1',
      'tools/call',
      '{"name":"call_tool","arguments":{"name":"own_tool","arguments":{"a":1}}}',
    );
    expect(rig.ownTools.last).toMatchObject({ name: 'own_tool', args: { a: 1 } });
    rig.ownTools.last.resolve('{"content":[]}');
    await expect(client.exchange()).resolves.toEqual(['{"jsonrpc":"2.0","id":1,"result":{"content":[]}}']);
  });

  it.each([
    ['{"name":"call_tool"}', 'The tool to call is missing'],
    ['{"arguments":{"name":"call_tool","arguments":{"name":"s__get"}}}', 'call_tool cannot call itself'],
    [String.raw`{"arguments":{"name":"\u0063all_tool"}}`, 'call_tool cannot call itself'],
    ['{"arguments":{"name":5}}', 'The tool to call is missing'],
    ['{"arguments":[{"name":"s__get"}]}', 'The tool to call is missing'],
    ['{"arguments":{"name":"s__get","name":"s__get"}}', 'call_tool cannot be read'],
  ])('is answered with what is wrong, and calls nothing: %s', async (params, problem) => {
    const { client, server } = await rigOf();
    const rest = params.slice(1).replace('"name":"call_tool"}', '"x":1}');
    const whole = params.startsWith('{"name"') ? params : `{"name":"call_tool",${rest}`;
    const answers = await client.request('1', 'tools/call', whole);
    expect(answers).toEqual([expect.stringContaining(problem)]);
    expect(answers[0]).toContain('"isError":true');
    expect(server.received).toEqual([]);
  });

  it('M9: of an unknown tool is a protocol error, as the call itself would be', async () => {
    const { client } = await rigOf();
    const [answer] = await client.request(
      '1',
      'tools/call',
      '{"name":"call_tool","arguments":{"name":"s__no"}}',
    );
    expect(answer).toContain('"id":1,"error":{"code":-32602,"message":"Unknown tool \\"s__no\\"');
  });

  it('M7: of a server that does not run says why', async () => {
    const { client, server } = await rigOf();
    server.upstream.nowCrashed();
    const [answer] = await client.request(
      '1',
      'tools/call',
      '{"name":"call_tool","arguments":{"name":"s__get"}}',
    );
    expect(answer).toContain('exited with code 1');
  });
});
