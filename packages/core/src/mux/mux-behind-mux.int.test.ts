import { PassThrough } from 'node:stream';

import { fixtureCommand } from '@mcpmux/test-servers';
import { describe, expect, it } from 'vitest';

import { createMux, type Mux, type StreamConfig } from '../index.js';
import { lone, retryOf } from '../testing/stateless-call.js';

const PARAMS = { message: 'sure?', requestedSchema: { type: 'object', properties: {} } };
const CALL = {
  name: 'inner__interactive__ask',
  arguments: { method: 'elicitation/create', params: PARAMS },
};

/** Another mux as a server, as `connect_instance` has it. */
function serverOf(inner: Mux): StreamConfig {
  return {
    address: 'unix:inner',
    advice: 'none',
    protocol: 'modern',
    open: () => {
      const [there, back] = [new PassThrough(), new PassThrough()];
      inner.connect({ input: there, output: back });
      return Promise.resolve({ input: back, output: there });
    },
  };
}

/** A mux in front of another one, in front of a legacy server that asks the user. */
async function chain(): Promise<AsyncDisposable & { readonly mux: Mux }> {
  const [outer, inner] = [createMux(), createMux()];
  await inner.addServer('interactive', fixtureCommand('interactive'));
  await outer.addServer('inner', serverOf(inner));
  return {
    mux: outer,
    [Symbol.asyncDispose]: async () => {
      await outer.close();
      await inner.close();
    },
  };
}

describe('the retry of a call that waits in a mux behind another mux', () => {
  it('goes on there, by the tool itself and by call_tool', async () => {
    await using outer = await chain();
    const via = { name: 'call_tool', arguments: { name: CALL.name, arguments: CALL.arguments } };
    for (const call of [CALL, via]) {
      const asked = await lone(outer, call);
      expect(asked).toMatchObject({ resultType: 'input_required' });
      const retry = retryOf(call, asked);
      await expect(lone(outer, retry)).resolves.toMatchObject({ resultType: 'complete' });
      await expect(lone(outer, retry)).rejects.toThrow('it was used before');
    }
  });

  it('brings the refusal of a question to its server', async () => {
    await using outer = await chain();
    const { inputRequests = {}, requestState } = await lone(outer, CALL);
    const error = { code: -1, message: 'the user has refused' };
    const [key = ''] = Object.keys(inputRequests);
    const { content } = await lone(outer, { ...CALL, requestState, inputResponses: { [key]: { error } } });
    expect(JSON.parse(content?.at(-1)?.text ?? '')).toMatchObject({ error });
  });

  it('is refused for a tool of a legacy server, and for a tool of mcpmux itself', async () => {
    await using outer = await chain();
    await outer.mux.addServer('interactive', fixtureCommand('interactive'));
    const { requestState } = await lone(outer, CALL);
    for (const call of [
      { name: 'interactive__ask', arguments: CALL.arguments },
      { name: 'list_servers', arguments: {} },
    ])
      await expect(lone(outer, { ...call, requestState, inputResponses: {} })).rejects.toThrow(
        'Invalid or expired requestState: mcpmux has not made it',
      );
  });
});
