import type { ServerResponse } from 'node:http';

import { expect, it } from 'vitest';

import { answerJson, beginStream, ByteServer, resultOf } from '../testing/byte-server.js';
import { MuxRig } from '../testing/mux-rig.js';

/** Legal JSON that no serializer writes: numbers beyond doubles, keys that stand twice, needless escapes and spaces. */
const ODD =
  String.raw`{ "z":12345678901234567890,"a" : 1.0,"neg":-0,"dup":1,"dup":2,` +
  String.raw`"\u0062":"caf\u00e9 é \/ \ud83d\ude00","e":1E+2,"far":1e400,"":{"nested":[1.50 ,null]} }`;
const RESULT = `{"content":[{"type":"text","text":"x"}],"x-vendor":${ODD},"structuredContent":${ODD}}`;

const WAYS: readonly (readonly [string, (response: ServerResponse, message: string) => void])[] = [
  ['a body', answerJson],
  ['an event', (response, message) => stream(response, `data: ${message}\n\n`)],
  [
    'an event with all fields and CRLF',
    (response, message) =>
      stream(response, `: x\r\nid: 1\r\nevent: message\r\nretry: 9\r\ndata:${message}\r\n\r\n`),
  ],
  [
    'an event that comes byte by byte',
    (response, message) => {
      beginStream(response);
      for (const byte of Buffer.from(`\ufeffdata: ${message}\r\r`)) response.write(Buffer.of(byte));
      response.end();
    },
  ],
];

function stream(response: ServerResponse, text: string): void {
  beginStream(response);
  response.end(text);
}

it.each(WAYS)('M5: the result of a server at a url stays as it is in %s', async (_, write) => {
  await using server = await ByteServer.open((request, response, id) => {
    if (request.method === 'POST') write(response, resultOf(id, RESULT));
    else response.writeHead(405).end();
  });
  await using rig = await MuxRig.open();
  await rig.mux.addServer('far', { url: server.url });
  rig.client.send('{"jsonrpc":"2.0","id":"a\\u0062","method":"tools/call","params":{"name":"far__raw"}}');
  const line = await rig.client.line((text) => text.includes('"x-vendor"'));
  expect(line).toBe(`{"jsonrpc":"2.0","id":"a\\u0062","result":${RESULT}}`);
});

it('M5: a result that stands on several lines is one line, with a space for each line end', async () => {
  await using server = await ByteServer.open((request, response, id) => {
    if (request.method === 'POST')
      stream(response, `data: {"jsonrpc":"2.0",\ndata: "id":${id},\ndata: "result":{"n":1.0}}\n\n`);
    else response.writeHead(405).end();
  });
  await using rig = await MuxRig.open();
  await rig.mux.addServer('far', { url: server.url });
  rig.client.send('{"jsonrpc":"2.0","id":"c","method":"tools/call","params":{"name":"far__raw"}}');
  expect(await rig.client.responseLine('"c"')).toBe('{"jsonrpc":"2.0", "id":"c", "result":{"n":1.0}}');
});

it('M5: a call leaves for a server at a url with nothing but its id and its name replaced', async () => {
  await using server = await ByteServer.open((request, response, id) => {
    if (request.method === 'POST') answerJson(response, resultOf(id, '{"content":[]}'));
    else response.writeHead(405).end();
  });
  await using rig = await MuxRig.open();
  await rig.mux.addServer('far', { url: server.url });
  const call = (id: string, name: string): string =>
    `{ "x-top":${ODD},"params":{"x-param":${ODD},"arguments":${ODD},"name" : "${name}","_meta":{"v.example\\/k":1.0}},` +
    `"method":"tools\\/call", "id":${id},"jsonrpc":"2.0"}`;
  rig.client.send(call('"client-id"', 'far__raw'));
  await rig.client.responseLine('"client-id"');
  const sent = server.of('POST').at(-1)?.body ?? '';
  const [, id = ''] = /"id":(\d+),"jsonrpc"/.exec(sent) ?? [];
  expect(sent).toBe(call(id, 'raw'));
});
