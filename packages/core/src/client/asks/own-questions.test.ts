import { describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS } from '@mcpmux/kit';

import type { ElicitAnswer } from './server-requests.js';
import { SessionsRig, type RigClient } from '../../testing/sessions-rig.js';

const FORM = { message: 'May it?', requestedSchema: { type: 'object', properties: {} } };
const QUESTION = {
  jsonrpc: '2.0',
  id: 'mux-1',
  method: 'elicitation/create',
  params: FORM,
};

interface Asked {
  readonly client: RigClient;
  readonly cancel: () => Promise<readonly string[]>;
  readonly answer: Promise<ElicitAnswer>;
}

/** A client that calls an own tool, which asks it something. */
async function asked(): Promise<Asked> {
  const rig = new SessionsRig();
  const client = await rig.client({ elicitation: {} });
  const answered = new Promise<ElicitAnswer>((resolve) => {
    rig.ownTools.onCall = ({ context }) => void context.client.elicit(FORM, context.signal).then(resolve);
  });
  const lines = await client.request('1', 'tools/call', '{"name":"own_tool"}');
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([QUESTION]);
  return {
    client,
    answer: answered,
    cancel: () =>
      client.exchange('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}'),
  };
}

describe('a question of mcpmux itself', () => {
  it.each([
    ['"result":{"action":"accept","content":{}}', { result: { action: 'accept', content: {} } }],
    ['"error":{"code":-1,"message":"not now"}', { problem: 'it answered with an error (not now)' }],
    ['"error":"odd"', { problem: 'it answered with an error (no reason)' }],
    ['"result":3', { problem: 'its result is no object' }],
  ])('is answered by the client: %s', async (members, answer) => {
    const { client, answer: given } = await asked();
    await client.exchange(`{"jsonrpc":"2.0","id":"mux-1",${members}}`);
    await expect(given).resolves.toEqual(answer);
  });

  it('is withdrawn when the call that caused it is cancelled; a late answer changes nothing', async () => {
    const { client, answer, cancel } = await asked();
    const [line = ''] = await cancel();
    expect(JSON.parse(line)).toMatchObject({
      method: 'notifications/cancelled',
      params: { requestId: 'mux-1' },
    });
    await expect(answer).resolves.toEqual({ problem: 'the call was cancelled' });
    await expect(
      client.exchange('{"jsonrpc":"2.0","id":"mux-1","result":{"action":"accept"}}'),
    ).resolves.toEqual([]);
  });

  it('is not put to a client that has too many to answer', async () => {
    const rig = new SessionsRig();
    const client = await rig.client({ elicitation: {} });
    const server = rig.server('s');
    const { maxAskedPerClient } = DEFAULT_LIMITS;
    const asks = Array.from({ length: maxAskedPerClient }, (_, id) =>
      JSON.stringify({ jsonrpc: '2.0', id, method: 'elicitation/create', params: { message: '?' } }),
    );
    await server.exchange(...asks);
    await client.request('1', 'tools/call', '{"name":"own_tool"}');
    const { client: caller, signal } = rig.ownTools.last.context;
    await expect(caller.elicit(FORM, signal)).resolves.toEqual({
      problem: `it has not answered ${maxAskedPerClient} earlier requests`,
    });
  });

  it('ends when the client goes', async () => {
    const { client, answer } = await asked();
    await client.leave();
    await expect(answer).resolves.toEqual({ problem: 'the client has gone' });
  });

  it('progress of the client concerns nobody', async () => {
    const { client } = await asked();
    const progress = '{"progressToken":"mux-1","progress":1}';
    await expect(
      client.exchange(`{"jsonrpc":"2.0","method":"notifications/progress","params":${progress}}`),
    ).resolves.toEqual([]);
  });
});

describe('the client that calls an own tool', () => {
  it.each([
    [{}, false],
    [{ elicitation: {} }, true],
    [{ elicitation: { form: {} } }, true],
    [{ elicitation: { url: {} } }, false],
    [{ elicitation: { url: {}, form: {} } }, true],
  ])('takes forms as it has declared: %j', async (capabilities, expected) => {
    const rig = new SessionsRig();
    await rig.client();
    const client = await rig.client(capabilities);
    await client.request('1', 'tools/call', '{"name":"own_tool"}');
    expect(rig.ownTools.last.context.client).toMatchObject({ takesForms: expected, session: 2 });
  });
});
