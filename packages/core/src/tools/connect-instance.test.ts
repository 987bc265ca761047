import { expect, it } from 'vitest';

import { createMux } from '../mux/mux.js';

const NOBODY = { list: () => Promise.resolve([]), open: () => Promise.reject(new Error('nobody')) };

it('refuses a request without a connection: what it adds would end with its answer', async () => {
  await using mux = createMux({}, { instances: NOBODY });
  const params = { name: 'connect_instance', arguments: { instance_id: 'x' } };
  const lines: string[] = [];
  const message = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  await mux.handle(Buffer.from(message), {}, (line) => lines.push(Buffer.from(line).toString()));
  expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
    {
      id: 1,
      result: { isError: true, content: [{ text: expect.stringContaining('this request has none') }] },
    },
  ]);
});
