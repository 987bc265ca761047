import { once } from 'node:events';

import { describe, expect, it } from 'vitest';

import { FrontRig, messagesIn, type OpenAnswer } from './testing/front-rig.js';

const LIST = { jsonrpc: '2.0', method: 'tools/list' };
const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
const call = (id: string, more = ''): string =>
  `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"x__y","arguments":{${more}}}}`;

/** Sends bytes in a session of a revision, and resolves when the answer is whole. */
async function answered(rig: FrontRig, body: string, revision = '2025-11-25'): Promise<OpenAnswer> {
  const headers = await rig.session(revision);
  const answer = await rig.sendText('POST', headers, body);
  await answer.ended;
  return answer;
}

/** What an answer holds, however it came. */
function errorsIn({ text }: OpenAnswer): readonly unknown[] {
  const messages = text.startsWith('{') ? [JSON.parse(text) as object] : messagesIn(text);
  return messages.filter((message) => 'error' in message || 'result' in message);
}

describe('a request that mcpmux cannot serve is answered at once, and leaves nothing in flight', () => {
  it.each<[string, string]>([
    ['an id of 1,023 characters', `"${'x'.repeat(1023)}"`],
    ['an id of 600 characters of two bytes', `"${'é'.repeat(600)}"`],
    ['an id of 200 escapes', `"${'\\u0000'.repeat(200)}"`],
    ['an id of half a megabyte', `"${'x'.repeat(500_000)}"`],
    ['the id 1.5', '1.5'],
    ['the id 1e400', '1e400'],
    ['the id true', 'true'],
    ['an object as id', '{}'],
    ['the id null', 'null'],
  ])('B17: %s', async (_, id) => {
    await using rig = await FrontRig.open();
    const answer = await answered(rig, call(id));
    expect(answer.status).toBe(400);
    expect(errorsIn(answer)).toMatchObject([{ jsonrpc: '2.0', id: null, error: { code: -32_600 } }]);
    expect(rig.front.sessions.openSessions[0]?.requests.size).toBe(0);
  });

  it.each<[string, string, number]>([
    ['an id of 1,024 bytes', call(`"${'x'.repeat(1022)}"`), 200],
    ['the id 1.0', call('1.0'), 200],
    ['the id -0', call('-0'), 200],
    ['nesting deeper than a message may be', call('1', `"a":${nested(300)}`), 200],
    [
      'nesting and an id in front of it',
      `{"id":"a","params":{"a":${nested(300)}},"method":"m","jsonrpc":"2.0"}`,
      200,
    ],
    ['an id of half a surrogate pair', call('"\\ud800"'), 200],
    ['an empty id', call('""'), 200],
    ['an id that is a key of objects', call('"__proto__"'), 200],
    ['a member that stands twice', `{"jsonrpc":"2.0","id":1,"id":2,"method":"tools/list"}`, 200],
    ['a member that looks like another', `{"jsonrpc":"2.0","id":1,"ID":2,"method":"tools/list"}`, 400],
    ['an id beyond 2^53', call('9007199254740993'), 400],
    ['no version', '{"id":1,"method":"tools/list"}', 400],
    ['a method that is a number', '{"jsonrpc":"2.0","id":1,"method":7}', 400],
    ['params that are a list', '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":[]}', 400],
    ['params that are a text', '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":"x"}', 400],
    [
      'a progress token that is an object',
      call('1').replace('"name"', '"_meta":{"progressToken":{}},"name"'),
      400,
    ],
    ['a method without a name', '{"jsonrpc":"2.0","id":1,"method":""}', 200],
    [
      'the method of a notification',
      '{"jsonrpc":"2.0","id":1,"method":"notifications/cancelled","params":{"requestId":1}}',
      200,
    ],
    ['a second initialize', '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}', 200],
  ])('B17, B20: %s', async (_, body, status) => {
    await using rig = await FrontRig.open();
    const answer = await answered(rig, body);
    expect([answer.status, errorsIn(answer).length]).toEqual([status, 1]);
    expect(rig.front.sessions.openSessions[0]?.requests.size).toBe(0);
  });

  it('one element of a batch with an id that is too long refuses the batch', async () => {
    await using rig = await FrontRig.open();
    const body = `[${JSON.stringify({ ...LIST, id: 1 })},${call(`"${'x'.repeat(2000)}"`)}]`;
    const answer = await answered(rig, body, '2025-03-26');
    expect(answer.status).toBe(400);
    expect(errorsIn(answer)).toMatchObject([{ id: null, error: { code: -32_600 } }]);
    expect(rig.front.sessions.openSessions[0]?.requests.size).toBe(0);
  });

  it('I24: an over-long batch is refused while it is still on its way, and the connection serves the next request', async () => {
    await using rig = await FrontRig.open();
    const headers = await rig.session('2025-03-26');
    const socket = rig.socket();
    let text = '';
    const until = async (part: string): Promise<void> => {
      while (!text.includes(part)) await once(socket, 'data');
    };
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
    const head = `POST /mcp HTTP/1.1\r\nHost: ${rig.url.host}\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\nMcp-Session-Id: ${headers['mcp-session-id']}\r\nContent-Length: `;
    const body = `[${Array(20_000).fill(JSON.stringify(LIST)).join(',')}]`;
    socket.write(`${head}${body.length}\r\n\r\n${body.slice(0, 50_000)}`);
    await until('The batch has more than 100 messages.');
    expect(text).toContain('HTTP/1.1 400');
    const ping = '{"jsonrpc":"2.0","id":"next","method":"ping"}';
    socket.write(`${body.slice(50_000)}${head}${ping.length}\r\n\r\n${ping}`);
    await until('"id":"next"');
    socket.destroy();
  });

  it.each<[string, string]>([
    ['objects', `[${Array(50_000).fill('{}').join(',')}]`],
    ['keys', `{${Array.from({ length: 25_000 }, (_, index) => `"k${index}":0`).join(',')}}`],
    ['arrays in arrays', `[${Array(600).fill(nested(100)).join(',')}]`],
    ['numbers', `[${Array(50_000).fill('1').join(',')}]`],
  ])(
    'I24: more values than a message needs, as %s, are refused before anything is built',
    async (_, json) => {
      await using rig = await FrontRig.open();
      const answer = await answered(rig, call('1', `"a":${json}`));
      expect(answer.status).toBe(400);
      expect(answer.text).toContain('The body has more than 50000 values, keys included.');
    },
  );
});
