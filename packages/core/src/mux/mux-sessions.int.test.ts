import fc from 'fast-check';
import { expect, it } from 'vitest';

import { MuxClient } from '../testing/mux-client.js';
import { MuxRig } from '../testing/mux-rig.js';

const SESSIONS = 3;
const tools = fc.array(fc.constantFrom('echo', 'count'), { minLength: SESSIONS, maxLength: SESSIONS });
const ids = fc.constantFrom('0', '1', '""', '"1"', '"a"');

it('B19, D9: sessions with equal ids and tokens get their own responses and their own progress', async () => {
  await using rig = await MuxRig.open({}, {}, { limits: { maxNotificationsPerSecond: 1_000_000 } });
  await Promise.all([rig.add('e', 'echo'), rig.add('p', 'progress')]);
  let nonce = 0;
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(ids, { minLength: 1 }), tools, async (used, chosen) => {
      const clients = await Promise.all(
        Array.from({ length: SESSIONS }, () => MuxClient.initialized(rig.mux)),
      );
      const sends = clients.flatMap((client, session) =>
        used.map((id) => {
          nonce += 1;
          const tool = chosen[session] ?? 'echo';
          return { client, id, tool, nonce };
        }),
      );
      for (const { client, id, tool, nonce: mine } of sends) client.send(callLine(id, tool, mine));
      for (const { client, id, tool, nonce: mine } of sends) {
        const response = await client.responseLine(id);
        expect(response).toContain(tool === 'echo' ? `"nonce ${mine}"` : `counted to ${mine}`);
        const progress = client.lines.filter(
          (line) => line.includes('notifications/progress') && line.includes(`"total":${mine}}`),
        );
        expect(progress).toHaveLength(tool === 'echo' ? 0 : mine);
        expect(progress.every((line) => line.includes(`"progressToken":${id},`))).toBe(true);
      }
      for (const [session, client] of clients.entries()) {
        const own = sends.filter((sent) => sent.client === client);
        const notifications = own.reduce((sum, sent) => sum + (sent.tool === 'count' ? sent.nonce : 0), 0);
        // the response to initialize, one per call, its progress, and nothing of the other sessions
        const others = client.count('notifications/tools/list_changed');
        expect([session, client.lines.length - others]).toEqual([session, 1 + own.length + notifications]);
        await client.session.close();
      }
    }),
    { numRuns: 8 },
  );
});

it('D5: a cancellation reaches the call of its own session only', async () => {
  await using rig = await MuxRig.open();
  await rig.add('h', 'hold-calls');
  const other = await MuxClient.initialized(rig.mux);
  const hold =
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"h__hold","arguments":{"key":"k"}}}';
  rig.client.send(hold);
  other.send(hold);
  rig.client.send('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}');
  await rig.client.call('h__release', { key: 'k' });
  await expect(other.responseLine('1')).resolves.toContain('released k');
  expect(rig.client.lines.filter((line) => line.includes('"id":1,'))).toEqual([]);
});

it('every session is told of a change to the lists', async () => {
  await using rig = await MuxRig.open();
  const other = await MuxClient.initialized(rig.mux);
  await rig.add('p', 'paged');
  await Promise.all([rig.client.listChanged(1), other.listChanged(1)]);
  await expect(other.serverTools()).resolves.toEqual(await rig.client.serverTools());
});

it('the servers go on when a client leaves', async () => {
  await using rig = await MuxRig.open();
  const other = await MuxClient.initialized(rig.mux);
  await other.manage('list_servers');
  await rig.add('p', 'progress');
  other.end();
  await other.session.closed;
  await expect(rig.client.call('p__count', { n: 1 })).resolves.toMatchObject({ result: {} });
});

function callLine(id: string, tool: string, nonce: number): string {
  const [name, args] =
    tool === 'echo' ? ['e__echo', `{"message":"nonce ${nonce}"}`] : ['p__count', `{"n":${nonce}}`];
  const params = `{"name":"${name}","arguments":${args},"_meta":{"progressToken":${id}}}`;
  return `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":${params}}`;
}
