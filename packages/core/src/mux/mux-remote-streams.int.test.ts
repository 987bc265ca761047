import type { ServerResponse } from 'node:http';

import { describe, expect, it, vi } from 'vitest';

import { answerJson, beginStream, ByteServer, resultOf, type Answering } from '../testing/byte-server.js';
import { MuxRig, textOf } from '../testing/mux-rig.js';

/** On a machine with other things to do. */
const SOON = { timeout: 10_000, interval: 5 };
const SAID = '{"content":[{"type":"text","text":"said"}]}';

/** A server with this answer, and one call of its tool. */
async function called(answering: Answering): Promise<{ text: string; server: ByteServer }> {
  await using server = await ByteServer.open(answering);
  await using rig = await MuxRig.open();
  await rig.mux.addServer('far', { url: server.url });
  const { result } = await rig.client.call('far__raw');
  return { text: textOf(result), server };
}

function noStream({ method }: { readonly method: string }, response: ServerResponse): boolean {
  if (method === 'GET') response.writeHead(405).end();
  return method === 'GET';
}

describe('fault I22: the stream of an answer', () => {
  it('that breaks off behind an event with an id is continued behind that event', async () => {
    let asked = '';
    const { text, server } = await called((request, response, id) => {
      const behind = request.headers['last-event-id'];
      if (request.method === 'GET' && behind === undefined) return void response.writeHead(405).end();
      beginStream(response);
      if (request.method === 'GET') return void response.end(`data: ${resultOf(asked, SAID)}\n\n`);
      asked = id;
      response.end('id: first\nretry: 1\ndata:\n\nid: second\ndata:\n\n');
    });
    expect(text).toBe('said');
    const continued = server.of('GET').filter(({ headers }) => headers['last-event-id'] !== undefined);
    expect(continued.map(({ headers }) => headers)).toMatchObject([
      {
        'last-event-id': 'second',
        accept: 'text/event-stream',
        'mcp-session-id': 'one',
        'mcp-protocol-version': '2025-11-25',
      },
    ]);
  });

  it('that cannot be continued fails the call', async () => {
    const { text } = await called((request, response) => {
      if (noStream(request, response)) return;
      beginStream(response);
      response.end('id: first\nretry: 1\ndata:\n\n');
    });
    expect(text).toContain('it ended the stream of this request without an answer');
    expect(text).toContain('The request may have had effects');
  });

  it('is not continued where no event has an id', async () => {
    const { text, server } = await called((request, response) => {
      if (noStream(request, response)) return;
      beginStream(response);
      response.end(': nothing\n\n');
    });
    expect(text).toContain('it ended the stream of this request without an answer');
    expect(server.of('GET')).toHaveLength(1);
  });

  it.each(['', '  \n', '{"jsonrpc":"2.0","id":999999,"result":{}}', '{"jsonrpc":'])(
    'with the body %j fails the call, too',
    async (body) => {
      const { text } = await called((request, response) => {
        if (!noStream(request, response)) answerJson(response, body);
      });
      expect(text).toContain('Server "far" did not answer');
    },
  );

  it('that is too long for a message fails the call with the limit', async () => {
    await using server = await ByteServer.open((request, response) => {
      if (noStream(request, response)) return;
      beginStream(response);
      response.write(`id: first\ndata:\n\ndata: ${'x'.repeat(20_000)}`);
    });
    await using rig = await MuxRig.open({ limits: { maxLineBytes: 10_000 } });
    await rig.mux.addServer('far', { url: server.url });
    expect(textOf((await rig.client.call('far__raw')).result)).toContain('above the limit of 10000 bytes');
  });
});

it('S13: the stream of a session is opened again behind its last event, after the time that the server asks for', async () => {
  const changed = '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}';
  await using server = await ByteServer.open(({ headers }, response) => {
    beginStream(response);
    if (headers['last-event-id'] === undefined) response.end(`retry: 1\nid: 7\ndata: ${changed}\n\n`);
    else response.flushHeaders();
  });
  await using rig = await MuxRig.open();
  await rig.mux.addServer('far', { url: server.url });
  await vi.waitUntil(() => server.of('GET').length === 2, SOON);
  expect(server.of('GET')[1]?.headers).toMatchObject({ 'last-event-id': '7', 'mcp-session-id': 'one' });
  expect(server.requests.filter(({ body }) => body.includes('"tools/list"'))).toHaveLength(2);
});

it('fault I22: a stream of the session that is no stream is not asked for again', async () => {
  await using server = await ByteServer.open(({ method }, response, id) => {
    if (method === 'GET') response.writeHead(200, { 'content-type': 'text/html' }).end('<html>');
    else answerJson(response, resultOf(id, SAID));
  });
  await using rig = await MuxRig.open();
  await rig.mux.addServer('far', { url: server.url });
  await vi.waitUntil(() => server.of('GET').length === 1, SOON);
  expect(textOf((await rig.client.call('far__raw')).result)).toBe('said');
  expect(server.of('GET')).toHaveLength(1);
});

it('fault I22: a call that is cancelled gives its request up', async () => {
  const closed = vi.fn<() => void>();
  await using server = await ByteServer.open((request, response) => {
    if (!noStream(request, response)) response.on('close', closed);
  });
  await using rig = await MuxRig.open();
  await rig.mux.addServer('far', { url: server.url });
  rig.client.send('{"jsonrpc":"2.0","id":"w","method":"tools/call","params":{"name":"far__raw"}}');
  await vi.waitUntil(() => server.of('POST').at(-1)?.body.includes('tools/call'), SOON);
  rig.client.send('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"w"}}');
  await vi.waitFor(() => expect(closed).toHaveBeenCalledTimes(1), SOON);
});
