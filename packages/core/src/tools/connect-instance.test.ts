import { expect, it } from 'vitest';
import { isServerName } from '@mcpmux/namespace';
import { anyText } from '@mcpmux/testing/any-text';
import fc from 'fast-check';
import { createMux } from '../mux/mux.js';
import { modernLine } from '../testing/modern-lines.js';
import { connectionName } from './connect-instance.js';

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

const free = (): boolean => false;

it.each([
  ['my-app', 'my-app'],
  ['my_app.js', 'my-app.js'],
  ['..', 'instance'],
  ['', 'instance'],
  ['日本 語', '日本-語'],
  ['a'.repeat(40), 'a'.repeat(24)],
])('the connection to an instance called %j is called %j', (instance, expected) => {
  expect(connectionName(instance, free)).toBe(expected);
});

it('H3: a name that is taken gets a number', () => {
  expect(connectionName('api', (name) => ['api', 'api-2'].includes(name))).toBe('api-3');
});

it('whatever an instance is called, a server may be called so', () => {
  fc.assert(
    fc.property(anyText(), (instance) => {
      expect(isServerName(connectionName(instance, free))).toBe(true);
    }),
  );
});
