import { describe, expect, it } from 'vitest';

import { connected } from '../../testing/connected.js';
import { nextTurn } from '@mcpmux/testing/next-turn';

/** What the server gets for one line of its own. */
async function answersTo(line: string): Promise<unknown[]> {
  const { server } = connected();
  server.send(line);
  await nextTurn();
  return server.received.map((received) => JSON.parse(received) as unknown);
}

describe('a request of a server', () => {
  it.each(['1', '0', '-7', '"a"', '"a\\u0062"', '""', '9007199254740993'])(
    'D24: ping is answered, with its id %s byte for byte',
    async (id) => {
      const { server } = connected();
      server.send(`{"jsonrpc":"2.0","id":${id},"method":"ping"}`);
      await nextTurn();
      expect(server.received).toEqual([`{"jsonrpc":"2.0","id":${id},"result":{}}`]);
    },
  );

  it.each(['roots/list', 'sampling/createMessage', 'elicitation/create', 'x-vendor/unknown'])(
    'D10, G6: %s is for a client: whoever owns the connection is told',
    async (method) => {
      await expect(
        answersTo(`{"jsonrpc":"2.0","id":"s1","method":"${method}","params":{}}`),
      ).resolves.toEqual([
        {
          jsonrpc: '2.0',
          id: 's1',
          error: { code: -32_601, message: `nobody answers ${method}` },
        },
      ]);
    },
  );

  it.each(['1.5', 'null', 'true', '[1]', `"${'x'.repeat(1100)}"`])(
    'with the illegal id %.20s is refused, in the name of none',
    async (id) => {
      const { connection, server } = connected();
      server.send(`{"jsonrpc":"2.0","id":${id},"method":"ping"}`);
      await nextTurn();
      expect(server.received.map((line) => JSON.parse(line) as unknown)).toMatchObject([
        { id: null, error: { code: -32_600, message: expect.stringContaining('id') } },
      ]);
      expect(connection.droppedLineCount).toBe(1);
    },
  );

  it('does not settle a request of ours that has the same id', async () => {
    const { connection, server } = connected();
    const answered = connection.request('tools/list', {}, 1000);
    await nextTurn();
    server.send('{"jsonrpc":"2.0","id":1,"method":"ping"}');
    await nextTurn();
    expect(server.received.at(-1)).toBe('{"jsonrpc":"2.0","id":1,"result":{}}');
    server.answer(1, '{"tools":[]}');
    await expect(answered).resolves.toBeDefined();
  });
});
