import { createMux } from '@mcpmux/core';
import { describe, expect, it } from 'vitest';

import { createHttpFront } from './http-front.js';
import { FrontRig, type OpenAnswer } from './testing/front-rig.js';

const PING = { jsonrpc: '2.0', id: 1, method: 'ping' };

async function ask(rig: FrontRig, method: string, path: string, body?: object): Promise<OpenAnswer> {
  rig.url = new URL(path, rig.url);
  return rig.send(method, {}, body);
}

/** The answer to a request that is refused. */
async function refusal(...request: Parameters<typeof ask>): Promise<Pick<OpenAnswer, 'status' | 'text'>> {
  const answer = await ask(...request);
  await answer.ended;
  return answer;
}

describe('what a refusal at the paths of the transport of 2024-11-05 says', () => {
  it('I6: where to open a new stream, and nothing of a header that it has not', async () => {
    await using rig = await FrontRig.guarded({ sse: true });
    const { status, text } = await refusal(rig, 'POST', '/messages?sessionId=0', PING);
    expect([status, text]).toEqual([404, expect.stringContaining('Open a new stream at /sse.')]);
    expect(text).not.toContain('Mcp-Session-Id');
  });

  it('I8: that a stream has to be closed, and nothing of a method that it has not', async () => {
    await using rig = await FrontRig.guarded({ sse: true, limits: { maxSessions: 1 } });
    const open = await ask(rig, 'GET', '/sse');
    const { status, text } = await refusal(rig, 'GET', '/sse');
    expect([status, text]).toEqual([503, expect.stringContaining('close a stream')]);
    expect(text).not.toContain('DELETE');
    open.destroy();
  });
});

it('the root says to a browser what this is and where MCP is, without a token', async () => {
  await using mux = createMux();
  const nobody = { principalOf: () => undefined };
  await using front = createHttpFront(mux, { credentials: nobody });
  const url = new URL('/', await front.listen());
  const answer = await fetch(url);
  expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('/mcp ')]);
  expect((await fetch(new URL('/metrics', url))).status).toBe(401);
});

describe('where nothing is served', () => {
  it.each([
    ['names the paths of MCP', false, '/elsewhere', 'MCP is served at /mcp and /mcp/{workspace}.'],
    ['names those of the transport of 2024-11-05 where that is served', true, '/elsewhere', ' at /sse and'],
    ['names the flag at /sse without it', false, '/sse', 'start mcpmux with --sse.'],
    ['names the flag at /messages without it', false, '/messages?sessionId=0', 'start mcpmux with --sse.'],
  ])('the answer 404 %s', async (_, sse, path, words) => {
    await using rig = await FrontRig.guarded({ sse });
    const { status, text } = await refusal(rig, 'GET', path);
    expect([status, text]).toEqual([404, expect.stringContaining(words)]);
    expect(text.includes('/sse and')).toBe(sse);
  });
});
