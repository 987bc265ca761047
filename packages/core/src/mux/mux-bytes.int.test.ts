import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { fixtureCommand } from '@mcpmux/test-servers';
import { expect, it } from 'vitest';

import { MuxRig, textOf } from '../testing/mux-rig.js';
import { temporaryFolder } from '@mcpmux/testing/temporary-folder';

/** Legal JSON that no serializer writes: numbers beyond doubles, keys that stand twice, needless escapes and spaces. */
const ODD =
  String.raw`{ "z":12345678901234567890,"a" : 1.0,"neg":-0,"dup":1,"dup":2,` +
  String.raw`"\u0062":"caf\u00e9 é \/ \ud83d\ude00","e":1E+2,"far":1e400,"":{"nested":[1.50 ,null]} }`;

async function odd(): Promise<{ rig: MuxRig } & AsyncDisposable> {
  const folder = await temporaryFolder();
  const file = join(folder.path, 'result.json');
  await writeFile(
    file,
    `{"content":[{"type":"text","text":"x"}],"x-vendor":${ODD},"structuredContent":${ODD}}`,
  );
  const rig = await MuxRig.open({}, { RAW_RESULT_FILE: file });
  await rig.add('r', 'raw-result');
  return {
    rig,
    async [Symbol.asyncDispose]() {
      await rig[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

it.each(['1', '0', '-0', '12345678901234567890', '""', '"a\\u0062"', '"\\/"'])(
  'M5: returns the bytes of a result under the id %s',
  async (id) => {
    await using scene = await odd();
    const { client } = scene.rig;
    client.send(`{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"r__raw"}}`);
    const line = await client.line((text) => text.includes('"x-vendor"'));
    const result = `{"content":[{"type":"text","text":"x"}],"x-vendor":${ODD},"structuredContent":${ODD}}`;
    expect(line).toBe(`{"jsonrpc":"2.0","id":${id},"result":${result}}`);
  },
);

it('M5: hands a call on with nothing but its id and its name replaced, by the bytes of the name that the server listed', async () => {
  await using scene = await odd();
  const { client } = scene.rig;
  const call = (id: string, name: string): string =>
    `{ "x-top":${ODD},"params":{"x-param":${ODD},"arguments":${ODD},"name" : "${name}","_meta":{"v.example\\/k":1.0}},` +
    `"method":"tools\\/call", "id":${id},"jsonrpc":"2.0"}`;
  client.send(call('"client-id"', 'r__raw'));
  await client.responseLine('"client-id"');
  const { result } = await client.call('r__last_line');
  const received = Buffer.from(textOf(result), 'base64').toString();
  const [, id = ''] = /"id":(\d+),"jsonrpc"/.exec(received) ?? [];
  expect(received).toBe(call(id, String.raw`r\u0061w`));
});

it('M5: lists tools with nothing but their name replaced', async () => {
  await using scene = await odd();
  const { client } = scene.rig;
  client.send('{"jsonrpc":"2.0","id":5,"method":"tools/list"}');
  const line = await client.responseLine('5');
  expect(line).toContain(
    String.raw`{"inputSchema":{"required":[],"properties":{"n":{"maximum":12345678901234567890,"type":"number",` +
      String.raw`"multipleOf":1.0,"minimum":-0}},"type":"object","additionalProperties":true},` +
      String.raw`"annotations":{"readOnlyHint":true,"x-risk":0.10},"_meta":{"vendor.example/rank":1.50,"path":"a\/b"},` +
      String.raw`"icons":[{"src":"data:image\/png;base64,AAAA","mimeType":"image\/png","sizes":["48x48"]}],` +
      String.raw`"x-vendor":[1.0,-0,{"":null}],"title":"R\u0041W \u65e5\u672c \ud83d\udd27","name":"r__raw",` +
      String.raw`"description":"Answers with the bytes of a file.","execution":{"taskSupport":"forbidden"}},`,
  );
  expect(line).toContain(
    String.raw`{"name":"r__last_line","inputSchema":{"type":"object"},"description":"caf\u00e9 \\u0041 é"}`,
  );
});

it('M5: add_server returns the bytes that tools/list has', async () => {
  await using scene = await odd();
  const { client } = scene.rig;
  const add = { name: 'add_server', arguments: { name: 's', ...fixtureCommand('raw-result') } };
  client.send(JSON.stringify({ jsonrpc: '2.0', id: 'add', method: 'tools/call', params: add }));
  const line = await client.responseLine('"add"');
  expect(line).toContain(
    String.raw`"x-vendor":[1.0,-0,{"":null}],"title":"R\u0041W \u65e5\u672c \ud83d\udd27","name":"s__raw"`,
  );
});
