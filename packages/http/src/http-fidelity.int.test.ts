import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { fixtureCommand } from '@mcpmux/test-servers';
import { expect, it } from 'vitest';

import { FrontRig } from './testing/front-rig.js';
import { described, modernHeaders } from './testing/modern-requests.js';

/** Legal JSON that no serializer would write this way: it does not survive a parser. */
const ODD_JSON = String.raw`{ "b":12345678901234567890, "a" : 1.0,"zero":-0,"e":1E+2,"far":1e400,"twice":1,"twice":2, "x-unknown":[null,{"":0.10}],"text":"\u00e9 é \/ 日 \ud800" }`;
const ODD_RESULT = `{"x-vendor":${ODD_JSON},"content":[{"text":"caf\\u00e9","type":"text","x":${ODD_JSON}}],"_meta":${ODD_JSON}}`;

const call = (id: string, name: string): string =>
  `{ "x-first":${ODD_JSON},"params" :{"arguments":${ODD_JSON}, "name": ${name},"_meta":${ODD_JSON}},` +
  `"method":"tools/call" ,"id": ${id},"jsonrpc":"2.0" }`;

/** A front with a server behind it that answers with the bytes of a file and tells the bytes that it got. */
async function withRawServer(run: (rig: FrontRig) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'mcpmux-http-fidelity-'));
  try {
    const file = join(folder, 'result.json');
    await writeFile(file, ODD_RESULT);
    await using rig = await FrontRig.open();
    await rig.mux.addServer('odd', { ...fixtureCommand('raw-result'), env: { RAW_RESULT_FILE: file } });
    await run(rig);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The bytes of the body that answers a body. */
async function answerTo(
  rig: FrontRig,
  session: Readonly<Record<string, string>>,
  body: string,
): Promise<string> {
  const answer = await rig.sendText('POST', session, body);
  await answer.ended;
  return answer.text;
}

/** The line that the server got of the last call. */
async function lastLine(rig: FrontRig, session: Readonly<Record<string, string>>): Promise<string> {
  const params = { name: 'odd__last_line', arguments: {} };
  const reported = await answerTo(
    rig,
    session,
    JSON.stringify({ jsonrpc: '2.0', id: 'last', method: 'tools/call', params }),
  );
  const { result } = JSON.parse(reported) as {
    readonly result: { readonly content: readonly { readonly text: string }[] };
  };
  return Buffer.from(result.content[0]?.text ?? '', 'base64')
    .toString()
    .trimEnd();
}

it('M5: a result comes over HTTP byte for byte; only the id is the one that the client gave', async () => {
  await withRawServer(async (rig) => {
    const session = await rig.session();
    const text = await answerTo(rig, session, call('12345678901', '"odd__raw"'));
    expect(text).toBe(`{"jsonrpc":"2.0","id":12345678901,"result":${ODD_RESULT}}`);
  });
});

it('M5: a result comes byte for byte in a stream, too', async () => {
  await withRawServer(async (rig) => {
    const session = await rig.session('2025-03-26');
    const ping = '{"jsonrpc":"2.0","id":"p","method":"ping"}';
    const text = await answerTo(rig, session, `[${call('"a"', '"odd__raw"')},${ping}]`);
    expect(text).toContain(`\ndata: {"jsonrpc":"2.0","id":"a","result":${ODD_RESULT}}\n\n`);
  });
});

it.each([
  ['in one line', ' "name"', ''],
  ['with line ends between its tokens', '\n"name"', '\r\n'],
])('M5: a call %s reaches the server byte for byte; only the id and the name differ', async (_, key, end) => {
  await withRawServer(async (rig) => {
    const session = await rig.session();
    await answerTo(rig, session, `${call('7', '"odd__raw"').replace(' "name"', key)}${end}`);
    const received = await lastLine(rig, session);
    const [, id = ''] = /"id": ([^,]+),"jsonrpc"/.exec(received) ?? [];
    const [, name = ''] = /, "name": ("[^"]+"),"_meta"/.exec(received) ?? [];
    expect(received).toBe(call(id, name));
    expect(JSON.parse(name)).toBe('raw');
  });
});

it('M5: a request without a session and its answer keep their bytes, but for what the eras differ in', async () => {
  await withRawServer(async (rig) => {
    const client = JSON.stringify(described()).slice(1);
    const body = call('"m"', '"odd__raw"').replace(
      /"_meta":\{/,
      () => `"_meta":{"x-mine":${ODD_JSON},${client.slice(0, -1)},`,
    );
    const text = await answerTo(rig, modernHeaders('tools/call', { name: 'odd__raw' }), body);
    const result = `{"resultType":"complete",${ODD_RESULT.slice(1)}`;
    expect(text).toBe(`{"jsonrpc":"2.0","id":"m","result":${result}}`);
    const received = await lastLine(rig, await rig.session());
    expect(received.split(ODD_JSON)).toHaveLength(4);
    expect(received).not.toContain('io.modelcontextprotocol');
  });
});
