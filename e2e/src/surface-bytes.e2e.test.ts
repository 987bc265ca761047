import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { fixtureServer } from './testing/fixture-server.js';
import { RawCli } from './testing/raw-cli.js';

/** Legal JSON that no serializer would write this way: it does not survive a parser. */
const ODD = String.raw`{ "b":12345678901234567890,"a" : 1.0,"zero":-0,"e":1E+2,"twice":1,"twice":2,"t":"\u00e9 é \/ \ud800","":[null] }`;
const RESULT = `{"x-first":${ODD}, "_meta":{"vendor.example/k":${ODD}} }`;

/** What a client sends: the params, with `%` for what mcpmux may change, and what the server gets there. */
interface Sent {
  readonly row: string;
  readonly method: string;
  readonly params: string;
  readonly given?: string;
  readonly got?: string;
}

const TASK = { given: '"mux1:log:t-1"', got: '"t-1"' };
const REQUESTS: readonly Sent[] = [
  {
    row: 'M5',
    method: 'tools/call',
    params: '{"name":%,"x":ODD}',
    given: '"log__anything"',
    got: '"anything"',
  },
  { row: 'S1', method: 'resources/read', params: '{ "uri":"log:\\/\\/\\/one", "x":ODD}' },
  { row: 'S1', method: 'resources/read', params: '{"x":ODD,"uri":"log:///of/monday"}' },
  {
    row: 'S2',
    method: 'prompts/get',
    params: '{"x":ODD,"name":%, "arguments":ODD}',
    given: '"log__one"',
    got: '"one"',
  },
  {
    row: 'S3',
    method: 'completion/complete',
    params: '{"ref":{"x":ODD,"type":"ref/prompt","name":%},"argument":{"name":"a","value":"\\u0041"}}',
    given: '"log__one"',
    got: '"one"',
  },
  {
    row: 'S3',
    method: 'completion/complete',
    params:
      '{"ref":{"type":"ref/resource","uri":"log:///of/{day}"},"argument":{"value":"","name":"day"},"x":ODD}',
  },
  { row: 'S8', method: 'tasks/get', params: '{"x":ODD,"taskId":%}', ...TASK },
  { row: 'S8', method: 'tasks/result', params: '{"x":ODD,"taskId":%}', ...TASK },
  { row: 'S8', method: 'tasks/cancel', params: '{"x":ODD,"taskId":%}', ...TASK },
  { row: 'S12', method: 'vendor.example/any', params: '{"x":ODD}' },
];

async function withLog(run: (cli: RawCli) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'mcpmux-bytes-'));
  try {
    const file = join(folder, 'result.json');
    await writeFile(file, RESULT);
    await using cli = new RawCli({ args: ['--log-level', 'error'] });
    await cli.initialize();
    const env = { RAW_RESULT_FILE: file };
    await cli.call('add_server', { name: 'log', ...fixtureServer('requests-log'), env });
    await cli.call('log__forget');
    await run(cli);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The lines that the server got since it forgot, without the call that asks for them. */
async function linesAt(cli: RawCli): Promise<readonly string[]> {
  const { result } = await cli.call('log__received');
  const blocks = (result?.['content'] ?? []) as readonly { readonly text: string }[];
  return blocks.map(({ text }) => text).filter((line) => !line.includes('"received"'));
}

describe('a request', () => {
  it.each(REQUESTS.map((sent) => [`${sent.row}: ${sent.method} ${sent.params}`, sent] as const))(
    '%s: reaches the server, and its result the client, byte for byte but for ids and names',
    async (_, { method, params, given = '', got = '' }) => {
      const line = (id: string, name: string): string => {
        const body = params.replaceAll('ODD', ODD).replace('%', () => name);
        return `{ "x-first":${ODD},"params" :${body},"method":"${method}" ,"id": ${id},"jsonrpc":"2.0" }`;
      };
      await withLog(async (cli) => {
        cli.write(line('"r-1"', given));
        await cli.response('r-1');
        // A list_changed may come behind it.
        const answers = cli.lines.filter((sent) => sent.includes('"r-1"'));
        expect(answers).toEqual([`{"jsonrpc":"2.0","id":"r-1","result":${RESULT}}`]);
        const received = (await linesAt(cli)).filter((one) => one.includes(`"method":"${method}"`));
        const id = /"id": ([^,]+),"jsonrpc"/.exec(received[0] ?? '')?.[1] ?? 'none';
        expect(received).toEqual([line(id, got)]);
      });
    },
  );
});

const NOTIFICATIONS = [
  [
    'S4',
    `{"method":"notifications/message","params":{"logger":%"db","level":"error","data":${ODD}},"jsonrpc":"2.0"}`,
  ],
  ['S8', `{"method":"notifications/tasks/status","params":{"x":${ODD},"taskId":%"t-1"},"jsonrpc":"2.0"}`],
  ['S12', `{ "x-top":${ODD},"method":"notifications/vendor.example/x" ,"params":${ODD},"jsonrpc":"2.0" }`],
] as const;
const LABELS: Readonly<Record<string, string>> = { S4: '"log/db"', S8: '"mux1:log:t-1"' };

describe('a notification', () => {
  it.each(NOTIFICATIONS)('%s: %s: reaches the client byte for byte but for its label', async (row, text) => {
    await withLog(async (cli) => {
      await cli.call('log__emit', { line: text.replace('%', '') });
      const label = LABELS[row];
      const expected = label === undefined ? text : text.replace(/%"[^"]*"/, () => label);
      expect(cli.lines.filter((sent) => sent.includes('"method":"notifications/'))).toContain(expected);
    });
  });

  it('S12: one of the client reaches the server byte for byte', async () => {
    const text = `{ "x-top":${ODD},"method":"notifications/vendor.example/y" ,"params":${ODD},"jsonrpc":"2.0" }`;
    await withLog(async (cli) => {
      cli.write(text);
      expect(await linesAt(cli)).toContain(text);
    });
  });
});

describe('an error', () => {
  it('S12: of a client reaches the server byte for byte but for the id, and so does a result', async () => {
    await withLog(async (cli) => {
      for (const [id, body] of [
        ['"s"', `"error":{"code":-7,"x":${ODD},"message":"\\u0041","data":${ODD}}`],
        ['0', `"result":{"x":${ODD}}`],
      ] as const) {
        const asked = `{"jsonrpc":"2.0","id":${id},"method":"vendor.example/ask","params":{"x":${ODD}}}`;
        const { length } = cli.messages;
        await cli.call('log__emit', { line: asked });
        const request = await cli.until(() =>
          cli.messages.slice(length).find(({ method }) => method === 'vendor.example/ask'),
        );
        const shown = JSON.stringify(request.id);
        expect(cli.lines).toContain(asked.replace(`"id":${id}`, () => `"id":${shown}`));
        cli.write(`{"jsonrpc":"2.0", "id":${shown}, ${body} }`);
        expect(await linesAt(cli)).toContain(`{"jsonrpc":"2.0", "id":${id}, ${body} }`);
      }
    });
  });
});
