import { describe, expect, it } from 'vitest';

import { URL_WAIT_MS } from '../modern/url-waits.js';
import { modernLine } from '../../testing/modern-lines.js';
import { SessionsRig } from '../../testing/sessions-rig.js';

const URLS = { capabilities: { elicitation: { url: {} } } };
const CALL = { name: 'x__t', arguments: {} };
const ERROR = JSON.stringify({
  code: -32042,
  message: 'log in first',
  data: { elicitations: [{ mode: 'url', elicitationId: 'e1', url: 'https://a.b/?q=1', message: 'Log in' }] },
});

async function refusedOnce(init: object = URLS) {
  const rig = new SessionsRig();
  const server = rig.server('x', { tools: ['t'] });
  const client = rig.stranger();
  await client.exchange(modernLine('1', 'tools/call', CALL, init));
  await server.exchange(`{"jsonrpc":"2.0","id":1,"error":${ERROR}}`);
  const answer = JSON.parse(client.lines.at(-1) ?? '') as {
    result?: { requestState: string };
    error?: unknown;
  };
  const retry = (action: string): Promise<readonly string[]> => {
    const inputResponses = { url1: { action } };
    const requestState = answer.result?.requestState ?? '';
    return client.exchange(modernLine('2', 'tools/call', { ...CALL, inputResponses, requestState }, init));
  };
  return { rig, server, client, answer, retry };
}

describe('a legacy server that wants its user at a URL first', () => {
  it('is called again when it says that this is done', async () => {
    const { server, client, answer, retry } = await refusedOnce();
    expect(answer).toMatchObject({
      id: 1,
      result: {
        resultType: 'input_required',
        inputRequests: {
          url1: {
            method: 'elicitation/create',
            params: { mode: 'url', url: 'https://a.b/?q=1', message: '[x] Log in' },
          },
        },
      },
    });
    await retry('accept');
    expect(server.received).toHaveLength(1);
    await server.report('notifications/elicitation/complete', '{"elicitationId":"e1"}');
    expect(JSON.parse(server.received.at(-1) ?? '')).toMatchObject({
      id: 2,
      method: 'tools/call',
      params: { name: 't', arguments: {}, _meta: {} },
    });
    expect(server.received.at(-1)).not.toContain('requestState');
    expect(server.received.at(-1)).not.toContain('inputResponses');
    await server.exchange('{"jsonrpc":"2.0","id":2,"result":{"content":[]}}');
    expect(JSON.parse(client.lines.at(-1) ?? '')).toMatchObject({
      id: 2,
      result: { resultType: 'complete' },
    });
  });

  it('is called again without its word after a while', async () => {
    const { rig, server, retry } = await refusedOnce();
    await retry('accept');
    rig.clock.advance(URL_WAIT_MS);
    await server.exchange();
    expect(server.received).toHaveLength(2);
    expect(rig.clock.timerCount).toBe(0);
  });

  it('is not called again when the user does not want to', async () => {
    const { server, client, retry } = await refusedOnce();
    await retry('decline');
    expect(server.received).toHaveLength(1);
    expect(JSON.parse(client.lines.at(-1) ?? '')).toMatchObject({
      id: 2,
      result: { isError: true, resultType: 'complete' },
    });
  });

  it('is not called again when the client has cancelled meanwhile', async () => {
    const { rig, server, client, retry } = await refusedOnce();
    await retry('accept');
    await client.exchange('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}');
    rig.clock.advance(URL_WAIT_MS);
    await server.exchange();
    expect(server.received).toHaveLength(1);
  });

  it('tells a client that sends nobody to URLs what it would have to declare', async () => {
    const { answer } = await refusedOnce({ capabilities: { elicitation: { form: {} } } });
    expect(answer).toMatchObject({
      id: 1,
      error: { code: -32021, data: { requiredCapabilities: { elicitation: { url: {} } } } },
    });
  });
});
