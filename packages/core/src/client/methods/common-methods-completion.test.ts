import { describe, expect, it } from 'vitest';

import { SessionsRig } from '../../testing/sessions-rig.js';

const NOTHING = '{"jsonrpc":"2.0","id":1,"result":{"completion":{"values":[]}}}';
const ABLE = { completions: {}, resources: {} };

describe('completion/complete', () => {
  it('S3: of an argument of a prompt reaches its server with the name that it gave', async () => {
    const rig = new SessionsRig();
    const server = rig.server('s', { prompts: ['greet'], capabilities: ABLE });
    const client = await rig.client();
    await client.request(
      '1',
      'completion/complete',
      '{"argument":{"name":"n","value":"1.0"},"ref":{"type":"ref/prompt","name":"s__greet"}}',
    );
    expect(server.received[0]).toContain(
      '"params":{"argument":{"name":"n","value":"1.0"},"ref":{"type":"ref/prompt","name":"greet"}}',
    );
    server.peer.answer(1, '{"completion":{"values":["a"]}}');
    await expect(client.exchange()).resolves.toEqual([
      '{"jsonrpc":"2.0","id":1,"result":{"completion":{"values":["a"]}}}',
    ]);
  });

  it('S3: of a template reaches the server that has it', async () => {
    const rig = new SessionsRig();
    const [a, b] = ['a', 'b'].map((name) =>
      rig.server(name, { templates: [`${name}:///{x}`], capabilities: ABLE }),
    );
    const client = await rig.client();
    await client.request('1', 'completion/complete', '{"ref":{"type":"ref/resource","uri":"b:///{x}"}}');
    expect(a?.received).toEqual([]);
    expect(b?.received[0]).toContain('"uri":"b:///{x}"');
  });

  it.each([
    '{"ref":{"type":"ref/prompt","name":"s__greet"}}',
    '{"ref":{"type":"ref/resource","uri":"nobody:///{x}"}}',
  ])('S3: has nothing to offer where the server has no completions: %s', async (params) => {
    const rig = new SessionsRig();
    const server = rig.server('s', { prompts: ['greet'] });
    const client = await rig.client();
    await expect(client.request('1', 'completion/complete', params)).resolves.toEqual([NOTHING]);
    expect(server.received).toEqual([]);
  });

  it.each(['{}', '{"ref":{}}', '{"ref":{"name":5,"uri":5}}', '{"ref":{"name":"s__no"}}'])(
    'S3: of something that is not there is refused: %s',
    async (params) => {
      const rig = new SessionsRig();
      rig.server('s', { prompts: ['greet'], capabilities: ABLE });
      const client = await rig.client();
      const [answer, ...others] = await client.request('1', 'completion/complete', params);
      expect(answer).toContain('"id":1,"error":{"code":-32602');
      expect(others).toEqual([]);
    },
  );

  it('S3: of a server that has crashed says why', async () => {
    const rig = new SessionsRig();
    rig.server('s', { prompts: ['greet'], capabilities: ABLE }).upstream.nowCrashed();
    const client = await rig.client();
    const [answer] = await client.request('1', 'completion/complete', '{"ref":{"name":"s__greet"}}');
    expect(answer).toContain('exited with code 1');
  });
});
