import { expect, it } from 'vitest';

import { beginStream, ByteServer } from '../testing/byte-server.js';
import { createMux } from './mux.js';

/** The reason why a server of the deprecated kind cannot be added whose stream begins with this event. */
async function reasonFor(endpoint: string, transport: 'sse' | 'auto' = 'sse'): Promise<string> {
  await using server = await ByteServer.open(
    ({ method }, response) => {
      if (method !== 'GET') return void response.writeHead(404).end();
      beginStream(response);
      response.write(`event: endpoint\ndata: ${endpoint}\n\n`);
    },
    404,
    false,
  );
  await using mux = createMux();
  try {
    await mux.addServer('old', { url: server.url, transport });
    return 'added';
  } catch (error) {
    return String(error);
  }
}

it.each(['http://0.0.0.0:1/messages', 'http://localhost:1/messages', 'https://127.0.0.1/messages'])(
  'F11: a server that names %s as its endpoint is refused with that reason',
  async (endpoint) => {
    const reason = await reasonFor(endpoint);
    expect(reason).toContain(`names ${new URL(endpoint).origin}, another origin`);
    expect(reason).toContain('public url');
    expect(reason).not.toContain('has closed the stream');
  },
);

it('F11: the reason stands beside the answer to POST where both transports are tried', async () => {
  expect(await reasonFor('http://0.0.0.0:1/messages', 'auto')).toMatch(/404.*another origin/s);
});

it('F11: an endpoint that is no url is named so', async () => {
  expect(await reasonFor('http://')).toContain('text that is no url');
});

it('F11: an event above the limit on the stream of the session is told as such', async () => {
  await using server = await ByteServer.open(
    (_, response) => {
      beginStream(response);
      response.write(`event: endpoint\ndata: /messages\n\ndata: ${'x'.repeat(2000)}\n\n`);
    },
    202,
    false,
  );
  await using mux = createMux({ limits: { maxLineBytes: 1000 } });
  const adding = mux.addServer('old', { url: server.url, transport: 'sse' });
  await expect(adding).rejects.toThrow('above the limit of 1000 bytes');
});
