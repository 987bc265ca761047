import { expect, it } from 'vitest';

import { createMux } from '../mux/mux.js';
import { modernLine } from '../testing/modern-lines.js';

const CALL = { name: 'connect_instance', arguments: { instance_id: 'x' } };
const NOBODY = { list: () => Promise.resolve([]), open: () => Promise.reject(new Error('nobody')) };

it.each([
  [
    'of a client with sessions',
    JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: CALL }),
  ],
  ['of the modern era', modernLine('1', 'tools/call', CALL)],
])(
  'refuses a request %s without a connection: what it adds would end with its answer',
  async (_, message) => {
    await using mux = createMux({}, { instances: NOBODY });
    const lines: string[] = [];
    await mux.handle(Buffer.from(message), {}, (line) => lines.push(Buffer.from(line).toString()));
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      {
        id: 1,
        result: { isError: true, content: [{ text: expect.stringContaining('this request has none') }] },
      },
    ]);
  },
);
