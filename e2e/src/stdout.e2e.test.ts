import { beforeAll, expect, it } from 'vitest';

import { fixtureServer } from './testing/fixture-server.js';
import type { RpcMessage } from './testing/json-rpc.js';
import { parseLog, type LogLine } from './testing/log-lines.js';
import { RawCli } from './testing/raw-cli.js';
import { failureText, textOf } from './testing/tool-response.js';

const JSON_LOG = ['--log-level', 'debug', '--log-format', 'json'];
const CANARY = 'canary-c0ffee-value';
const MESSAGE = 'a message that no log needs to know';

interface Session {
  readonly answers: readonly RpcMessage[];
  readonly stdout: string;
  readonly stderr: string;
}

let json: Session;
let pretty: Session;

beforeAll(async () => {
  json = await finishedSession(JSON_LOG);
  pretty = await finishedSession(['--log-level', 'debug']);
});

/** Adds servers that each do something wrong, and uses them. */
async function session(cli: RawCli): Promise<RpcMessage[]> {
  const env = { API_TOKEN: CANARY };
  const add = (name: string, fixture: Parameters<typeof fixtureServer>[0]): Promise<RpcMessage> =>
    cli.call('add_server', { name, ...fixtureServer(fixture), env });
  await cli.initialize();
  await Promise.all([
    add('garbage', 'garbage-stdout'),
    add('broken', 'malformed-result'),
    add('crash', 'crash'),
    add('talker', 'stderr-talker'),
    add('flood', 'flood'),
    add('stillborn', 'exit-in-handshake'),
    cli.call('add_server', { name: 'lost', command: 'no-such-program', env }),
  ]);
  const answers = await Promise.all([
    cli.call('garbage__echo', { message: MESSAGE }),
    cli.call('talker__talk', { lines: 50 }),
    cli.call('flood__flood', { count: 50, bytes: 100 }),
    cli.call('broken__broken'),
    cli.call('crash__crash'),
  ]);
  await cli.call('list_servers');
  await cli.call('remove_server', { name: 'garbage' });
  return answers;
}

/** A whole session, to its end: what was answered, and the log. */
async function finishedSession(args: readonly string[]): Promise<Session> {
  const cli = new RawCli({ args });
  try {
    const answers = await session(cli);
    await cli.until(() => (cli.stderr.includes('line 50') ? true : undefined));
    return { answers, stdout: cli.lines.join('\n'), stderr: cli.stderr };
  } finally {
    // checks every line of stdout, to the last
    await cli[Symbol.asyncDispose]();
  }
}

function find(log: readonly LogLine[], level: string, ...words: readonly string[]): LogLine | undefined {
  return log.find((line) => line.level === level && words.every((word) => line.message.includes(word)));
}

it('B1: stdout carries JSON-RPC and nothing else, whatever servers print and however they end', () => {
  const [garbage, talker, flood, broken, crash] = pretty.answers;
  expect(garbage && textOf(garbage)).toBe(MESSAGE);
  expect(talker && textOf(talker)).toBe('wrote 50 lines');
  expect(flood?.result).toMatchObject({ content: [{ type: 'text' }] });
  expect(broken?.error).toMatchObject({ code: -32603 });
  expect(crash && failureText(crash)).toContain('exited with code 1');
});

it('M11, A9: with --log-format json every line on stderr is JSON with time in UTC, level and message', () => {
  const log = parseLog(json.stderr);
  expect(log.length).toBeGreaterThan(50);
  for (const line of log) {
    expect(line).toEqual(
      expect.objectContaining({
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string,
        level: expect.stringMatching(/^(?:error|warn|info|debug)$/) as string,
        message: expect.any(String) as string,
      }),
    );
  }
});

it('M11: logs spawn and exit, tool discovery, calls and errors, each with the name of its server', () => {
  const log = parseLog(json.stderr);
  expect(find(log, 'info', 'started', 'process')).toMatchObject({
    server: expect.any(String) as string,
    pid: expect.any(Number) as number,
  });
  expect(find(log, 'info', 'server running')).toMatchObject({ tools: expect.any(Number) as number });
  expect(find(log, 'debug', 'call')).toMatchObject({ server: expect.any(String) as string });
  expect(find(log, 'error', 'exited with code 1')).toMatchObject({ server: 'crash' });
  expect(find(log, 'error', 'exited with code 7')).toMatchObject({ server: 'stillborn' });
  expect(find(log, 'error', 'no-such-program')).toMatchObject({ server: 'lost' });
  expect(find(log, 'info', 'server removed')).toBeDefined();
});

it('M11: calls are logged at debug only, and never with their arguments', async () => {
  expect(parseLog(json.stderr).filter(({ tool }) => tool === 'echo')).toHaveLength(1);
  expect(json.stderr).not.toContain(MESSAGE);
  const info = await finishedSession(['--log-level', 'info', '--log-format', 'json']);
  expect(parseLog(info.stderr).filter(({ level }) => level === 'debug')).toEqual([]);
});

it('M7: what a server writes to stderr is logged with its name', () => {
  const written = parseLog(json.stderr).filter(
    ({ server, stream }) => server === 'talker' && stream === 'stderr',
  );
  expect(written).toHaveLength(50);
  expect(written.at(-1)).toMatchObject({ message: 'line 50' });
});

it('M7: for people, each line of a server is prefixed with its name, and control characters are harmless', () => {
  const { stderr } = pretty;
  const written = stderr.split('\n').filter((line) => /\bline \d+/.test(line));
  expect(written).toHaveLength(50);
  expect(written.filter((line) => !line.includes('talker'))).toEqual([]);
  expect(stderr.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
});

it('fault H3: no value of env appears on stdout or stderr', () => {
  for (const { stdout, stderr } of [json, pretty]) {
    expect(stderr).not.toContain(CANARY);
    expect(stdout).not.toContain(CANARY);
    expect(stdout).toContain('no-such-program');
  }
});

it('with --log-level silent, stderr stays empty', async () => {
  const cli = new RawCli({ args: ['--log-level', 'silent'] });
  await session(cli);
  await cli[Symbol.asyncDispose]();
  expect(cli.stderr).toBe('');
});
