import { describe, expect, it } from 'vitest';

import { SessionsRig } from '../../testing/sessions-rig.js';

describe('prompts/get', () => {
  it('S2: reaches the server with the name that it gave, and nothing else changed', async () => {
    const rig = new SessionsRig();
    const server = rig.server('s', { prompts: ['greet'] });
    const client = await rig.client();
    await client.request('"p"', 'prompts/get', '{ "arguments":{"n":"1.0"},"name" : "s__greet"}');
    expect(server.received).toEqual([
      '{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{ "arguments":{"n":"1.0"},"name" : "greet"}}',
    ]);
    server.peer.answer(1, '{"messages":[],"n":1.0}');
    await expect(client.exchange()).resolves.toEqual([
      '{"jsonrpc":"2.0","id":"p","result":{"messages":[],"n":1.0}}',
    ]);
  });

  it('S2: finds a prompt by its bare name while one server alone has it', async () => {
    const rig = new SessionsRig();
    const server = rig.server('s', { prompts: ['greet'] });
    const client = await rig.client();
    await client.request('1', 'prompts/get', '{"name":"greet"}');
    expect(server.received).toHaveLength(1);
    rig.server('other', { prompts: ['greet'] });
    const [answer] = await client.request('2', 'prompts/get', '{"name":"greet"}');
    expect(answer).toContain('"id":2,"error":{"code":-32602');
    expect(answer).toContain('ask for one of: s__greet, other__greet');
  });

  it.each([
    ['{"name":"s__get"}', -32_602],
    ['{"name":"s__no"}', -32_602],
    ['{"name":5}', -32_602],
    ['{}', -32_602],
  ])('S2: of what is no prompt is refused: %s', async (params, code) => {
    const rig = new SessionsRig();
    const server = rig.server('s', { prompts: ['greet'], tools: ['get'] });
    const client = await rig.client();
    const answers = await client.request('1', 'prompts/get', params);
    expect(answers).toEqual([expect.stringContaining(`"id":1,"error":{"code":${code}`)]);
    expect(server.received).toEqual([]);
  });

  it('S2: of a server that has crashed is a protocol error, for a prompt has no result that could tell', async () => {
    const rig = new SessionsRig();
    rig.server('s', { prompts: ['greet'] }).upstream.nowCrashed();
    const [answer] = await (await rig.client()).request('1', 'prompts/get', '{"name":"s__greet"}');
    expect(answer).toContain('"error":{"code":-32603,"message":"Server \\"s\\" exited with code 1."');
    expect(answer).toContain('"data":{"server":"s","reason":"exited","stderrTail":[]}');
  });
});
