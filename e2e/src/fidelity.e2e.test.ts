import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { fixtureServer } from './testing/fixture-server.js';
import { RawCli } from './testing/raw-cli.js';
import { textOf } from './testing/tool-response.js';

/** Legal JSON that no serializer would write this way: it does not survive a parser. */
const ODD_JSON =
  String.raw`{ "b":12345678901234567890, "a" : 1.0,"zero":-0,"e":1E+2,"far":1e400,"twice":1,"twice":2,
  "x-unknown":[null,{"":0.10}],"text":"\u00e9 é \/ 日 \ud800","_meta":{"vendor.example/z":1.50} }`.replace(
    '\n',
    ' ',
  );
const ODD_RESULT = `{"x-vendor":${ODD_JSON},"content":[{"text":"caf\\u00e9","type":"text","x":${ODD_JSON}}],"_meta":${ODD_JSON}}`;

/** mcpmux in front of a server that answers with the bytes of a file and tells the bytes that it got. */
async function withRawServer(run: (cli: RawCli) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'mcpmux-fidelity-'));
  try {
    const file = join(folder, 'result.json');
    await writeFile(file, ODD_RESULT);
    await using cli = new RawCli({ args: ['--log-level', 'error'] });
    await cli.initialize();
    const env = { RAW_RESULT_FILE: file };
    await cli.call('add_server', { name: 'odd', ...fixtureServer('raw-result'), env });
    await run(cli);
  } finally {
    await rm(folder, { recursive: true });
  }
}

function lineWithId(cli: RawCli, id: string): string | undefined {
  return cli.lines.find((line) => line.includes(`"id":${id}`));
}

it('M5: a result reaches the client byte for byte; only the id is the one the client gave', async () => {
  await withRawServer(async (cli) => {
    await cli.request('tools/call', { name: 'odd__raw', arguments: {} }, 'given "by" the client');
    expect(lineWithId(cli, String.raw`"given \"by\" the client"`)).toBe(
      String.raw`{"jsonrpc":"2.0","id":"given \"by\" the client","result":${ODD_RESULT}}`,
    );
  });
});

it('M5: a call reaches the server byte for byte; only the id and the name differ', async () => {
  const call = (id: string, name: string): string =>
    `{ "x-first":${ODD_JSON},"params" :{"arguments":${ODD_JSON}, "name": ${name},"_meta":${ODD_JSON}},` +
    `"method":"tools/call" ,"id": ${id},"jsonrpc":"2.0" }`;
  await withRawServer(async (cli) => {
    cli.write(call('"call-1"', String.raw`"odd__r\u0061w"`));
    await cli.response('call-1');
    const reported = await cli.call('odd__last_line');
    const received = Buffer.from(textOf(reported), 'base64').toString().trimEnd();
    const [, id = ''] = /"id": ([^,]+),"jsonrpc"/.exec(received) ?? [];
    const [, name = ''] = /, "name": ("[^"]+"),"_meta"/.exec(received) ?? [];
    expect(received).toBe(call(id, name));
    expect(JSON.parse(name)).toBe('raw');
  });
});

it('M5: a listed tool keeps every byte but its name', async () => {
  await withRawServer(async (cli) => {
    await cli.request('tools/list', {}, 'list');
    const line = lineWithId(cli, '"list"');
    expect(line).toContain(
      String.raw`"inputSchema":{"required":[],"properties":{"n":{"maximum":12345678901234567890,"type":"number",` +
        String.raw`"multipleOf":1.0,"minimum":-0}},"type":"object","additionalProperties":true},` +
        String.raw`"annotations":{"readOnlyHint":true,"x-risk":0.10},"_meta":{"vendor.example/rank":1.50,"path":"a\/b"}`,
    );
    expect(line).toContain(
      String.raw`"x-vendor":[1.0,-0,{"":null}],"title":"R\u0041W \u65e5\u672c \ud83d\udd27","name":"odd__`,
    );
    expect(line).toContain(String.raw`"description":"caf\u00e9 \\u0041 é"`);
  });
});
