import { stat } from 'node:fs/promises';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { CLI, installedServer, NODE } from './testing/built-cli.js';
import { fixtureServer } from './testing/fixture-server.js';
import { Person } from './testing/person.js';
import { RawCli } from './testing/raw-cli.js';
import { textOf } from './testing/tool-response.js';

const EVERYTHING = [NODE, installedServer('@modelcontextprotocol/server-everything'), 'stdio'];
const { command, args } = fixtureServer('modern');

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** A session of a client of one era; it ends when the server has answered everything. */
async function legacySession(cli: RawCli): Promise<void> {
  await cli.initialize();
  await cli.request('tools/list');
  await cli.request('prompts/list');
  await cli.call('echo', { message: 'hi' });
  await cli.call('get-structured-content', { location: 'New York' });
  await cli.request('resources/nothing');
}

async function modernSession(cli: RawCli): Promise<void> {
  const request = (method: string, params: object = {}) => cli.request(method, { ...params, _meta: META });
  await request('server/discover');
  await request('tools/list');
  await request('tools/call', { name: 'echo', arguments: { message: 'hi' } });
  await request('tools/call', { name: 'array' });
  await request('resources/read', { uri: 'memo:///one' });
  await request('ping');
}

it.each([
  { era: 'legacy', server: EVERYTHING, session: legacySession },
  { era: 'modern', server: [command, ...args], session: modernSession },
])('a recorded session of a $era server is replayed byte for byte', async ({ server, session }) => {
  await using person = await Person.arrive();
  const file = join(person.home, 'bug.ndjson');
  const recorder = new RawCli({ args: ['record', file, '--', ...server] });
  await session(recorder);
  recorder.child.stdin.end();
  expect(await recorder.ended).toMatchObject({ code: 0 });
  // Windows has no such modes.
  const mode = process.platform === 'win32' ? 0o600 : (await stat(file)).mode & 0o777;
  expect(mode).toBe(0o600);
  const player = new RawCli({ args: ['replay', file] });
  await session(player);
  player.child.stdin.end();
  expect(await player.ended).toEqual({ code: 0, signal: null });
  expect(player.lines).toEqual(recorder.lines);
});

it('a recording has no secrets, and is a server of mcpmux that answers what was asked', async () => {
  await using person = await Person.arrive();
  const file = join(person.home, 'bug.ndjson');
  const recorded = [CLI, 'record', file, '--', ...EVERYTHING];
  await person.configure({
    mcpServers: { all: { command: NODE, args: recorded, env: { API_TOKEN: 'hunter2hunter2' } } },
  });
  const call = ['call', 'all.echo', 'message=hunter2hunter2', '--fresh'];
  expect(await person.mcpmux(...call)).toMatchObject({ code: 0, stdout: 'Echo: hunter2hunter2\n' });
  expect(await person.read('bug.ndjson')).not.toContain('hunter2');
  await person.configure({ mcpServers: { all: { command: NODE, args: [CLI, 'replay', file] } } });
  await using mcpmux = new RawCli({ args: ['serve', '--config', person.config], env: person.environment });
  await mcpmux.initialize();
  // The first list waits for the server.
  await mcpmux.request('tools/list');
  expect(textOf(await mcpmux.call('all__echo', { message: '[redacted]' }))).toBe('Echo: [redacted]');
  const { error } = await mcpmux.call('all__echo', { message: 'other' });
  expect(error).toMatchObject({ message: expect.stringContaining('The recording has no answer') });
});

it('what is no recording, and a program that does not exist, are reported', async () => {
  await using person = await Person.arrive();
  await person.write('other.ndjson', '{}\n');
  const replayed = await person.mcpmux('replay', 'other.ndjson');
  expect(replayed).toMatchObject({ code: 2, stderr: expect.stringContaining('is not a recording') });
  const recorded = await person.mcpmux('record', 'x.ndjson', '--', 'no-such-program-here');
  expect(recorded).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('"no-such-program-here" was not found'),
  });
});

it('a recording stays when the server is started again, and has no secret of the command line', async () => {
  await using person = await Person.arrive();
  const program = 'process.stderr.write(process.argv[1] + process.argv[3])';
  const recorded = ['record', 'bug.ndjson', '--', NODE, '-e', program, 'of ', '--token', 'hunter2hunter2'];
  const first = await person.mcpmux(...recorded);
  expect(first).toMatchObject({ code: 0, stderr: 'of hunter2hunter2' });
  const text = await person.read('bug.ndjson');
  expect(text).toContain('of [redacted]');
  const second = await person.mcpmux(...recorded);
  expect(second.stderr).toContain('bug-2.ndjson');
  expect(await person.read('bug.ndjson')).toBe(text);
  expect(await person.read('bug-2.ndjson')).not.toContain('hunter2');
});

it('a recording ends with its server, also if a process that the server left keeps its output open', async () => {
  await using person = await Person.arrive();
  const left =
    "require('node:child_process').spawn(process.execPath, ['-e', 'setTimeout(() => {}, 20000)'], { stdio: ['ignore', 'inherit', 'ignore'], detached: true }).unref()";
  const start = performance.now();
  expect(await person.mcpmux('record', 'bug.ndjson', '--', NODE, '-e', left)).toMatchObject({ code: 0 });
  expect(performance.now() - start).toBeLessThan(15_000);
  expect(await person.read('bug.ndjson')).toContain('{"from":"end","code":0,"signal":null}');
});
