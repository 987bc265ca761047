import { describe, expect, it } from 'vitest';

import { SessionsRig } from '../../testing/sessions-rig.js';

/** The params that a client sees of a request of the server `s`. All are JSON text. */
async function seen(
  method: string,
  params: string,
  capabilities: Readonly<Record<string, unknown>> = { sampling: {}, elicitation: {} },
): Promise<string | undefined> {
  const rig = new SessionsRig();
  const client = await rig.client(capabilities);
  await rig.server('s').ask('1', method, params);
  return /"params":(.*)\}$/.exec(client.take().join())?.[1];
}

describe('an elicitation', () => {
  it.each([
    ['{"message":"Really?","x":1.0}', '{"message":"[s] Really?","x":1.0}'],
    ['{"message":"\\u0041\\"","x":1}', '{"message":"[s] \\u0041\\"","x":1}'],
    ['{"message":""}', '{"message":"[s] "}'],
    ['{"message":5}', '{"message":5}'],
    ['{}', '{}'],
  ])('S7: says in its text which server asks: %s', async (sent, reported) => {
    await expect(seen('elicitation/create', sent)).resolves.toBe(reported);
  });

  it('S8: names its task as clients do', async () => {
    const task = (id: string): string =>
      `{"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"${id}"}},"message":"m"}`;
    await expect(seen('elicitation/create', task('t'))).resolves.toBe(
      task('mux1:s:t').replace('"m"', '"[s] m"'),
    );
  });
});

describe('a sampling request', () => {
  it.each([
    ['{"maxTokens":1,"z":1}', '{"maxTokens":1,"_meta":{"dev.mcpmux/server":"s"},"z":1}'],
    ['{"_meta":{},"maxTokens":1}', '{"_meta":{"dev.mcpmux/server":"s"},"maxTokens":1}'],
    ['{"_meta":{ "a":1 },"maxTokens":1}', '{"_meta":{ "a":1 ,"dev.mcpmux/server":"s"},"maxTokens":1}'],
    ['{"_meta":5,"maxTokens":1}', '{"_meta":5,"maxTokens":1}'],
    ['{}', '{}'],
  ])('S5: says in _meta which server asks: %s', async (sent, reported) => {
    await expect(seen('sampling/createMessage', sent)).resolves.toBe(reported);
  });

  it('S5: cannot pass for that of another server', async () => {
    const params = await seen(
      'sampling/createMessage',
      '{"_meta":{"dev.mcpmux/server":"bank"},"maxTokens":1}',
    );
    expect(JSON.parse(params ?? '')).toMatchObject({ _meta: { 'dev.mcpmux/server': 's' } });
  });

  it.each([
    ['"thisServer"', {}, '"none"'],
    ['"allServers"', {}, '"none"'],
    ['"none"', {}, '"none"'],
    ['"thisServer"', { context: {} }, '"thisServer"'],
  ])(
    'S5: asks for context only where the client can tell servers apart: %s %j',
    async (sent, sampling, reported) => {
      const params = `{"includeContext":${sent},"maxTokens":1}`;
      await expect(seen('sampling/createMessage', params, { sampling })).resolves.toContain(
        `"includeContext":${reported},`,
      );
    },
  );
});

describe('any other request', () => {
  it('A10: is as its server wrote it', async () => {
    await expect(
      seen('vendor/x', '{"message":"m","includeContext":"thisServer","maxTokens":1}'),
    ).resolves.toBe('{"message":"m","includeContext":"thisServer","maxTokens":1}');
  });
});
