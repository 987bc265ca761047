import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, it, vi } from 'vitest';

import { fixtureServer } from './testing/fixture-server.js';
import { RawCli } from './testing/raw-cli.js';
import { failureText, textOf } from './testing/tool-response.js';

const CLIENT = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } };

/** mcpmux with the server `fine` added, to see that it stays so whatever else is done. */
async function withFineServer(): Promise<RawCli> {
  const mcpmux = new RawCli({ args: ['--log-level', 'error'] });
  await mcpmux.initialize();
  await mcpmux.call('add_server', { name: 'fine', ...fixtureServer('echo') });
  return mcpmux;
}

/** The server `fine` is the only one, works as before, and another can be added and removed. */
async function expectAllElseWorks(): Promise<void> {
  const servers = [{ name: 'fine', status: 'running', restarts: 0 }];
  expect((await cli.call('list_servers')).result).toMatchObject({ structuredContent: { servers } });
  expect(textOf(await cli.call('fine__echo', { message: 'still here' }))).toBe('still here');
  const added = await cli.call('add_server', { name: 'next', ...fixtureServer('env-dump') });
  expect(added.result).toMatchObject({ structuredContent: { status: 'running' } });
  const removed = await cli.call('remove_server', { name: 'next' });
  expect(removed.result).toMatchObject({ structuredContent: { removed: true } });
}

let cli: RawCli;

// One mcpmux for the whole file: it bears all of this in a row.
beforeAll(async () => {
  cli = await withFineServer();
});
afterAll(() => cli[Symbol.asyncDispose]());

it('an unknown method is answered by the only server, an unknown notification with nothing', async () => {
  cli.write('{"jsonrpc":"2.0","method":"notifications/unheard_of"}');
  const response = await cli.request('servers/explode');
  expect(response.error).toMatchObject({ code: -32601 });
  await expectAllElseWorks();
});

it.each([
  ['that breaks off', '{"jsonrpc":"2.0","id":99,'],
  ['that is no JSON at all', 'GET / HTTP/1.1'],
  ['with a raw control character', '{"jsonrpc":"2.0","id":99,"method":"pi\u0001ng"}'],
])('B21: a line %s is answered with -32700', async (_, line) => {
  const before = cli.messages.length;
  cli.write(line);
  // announcements of changed tools may come in between
  const response = await cli.until(() => cli.messages.slice(before).find(({ error }) => error !== undefined));
  expect(response).toMatchObject({ error: { code: -32700 } });
  await expectAllElseWorks();
});

it.each([
  ['a missing name', { command: 'node' }, 'name'],
  ['a number as command', { name: 'x', command: 5 }, 'command'],
  ['a string as args', { name: 'x', command: 'node', args: '--version' }, 'args'],
  ['a number in env', { name: 'x', command: 'node', env: { PORT: 8080 } }, 'env.PORT'],
  ['an unknown field', { name: 'x', command: 'node', arg: ['--version'] }, 'arg'],
])('%s is answered with a result for the model that names the field', async (_, args, field) => {
  const refused = await cli.call('add_server', args);
  expect(failureText(refused)).toMatch(new RegExp(`: .*\\b${field}\\b`));
  await expectAllElseWorks();
});

it('M6: a server name that holds __ is refused and says so', async () => {
  const refused = await cli.call('add_server', { name: 'a__b', ...fixtureServer('echo') });
  expect(failureText(refused)).toMatch(/a__b.*__/);
  await expectAllElseWorks();
});

it('M1, fault A9: a command that does not exist is named, with the PATH that was searched', async () => {
  const env = { PATH: '/opt/nothing-here:/opt/nor-here' };
  const failed = await cli.call('add_server', { name: 'lost', command: 'uvxx', env });
  expect(failureText(failed)).toMatch(/"lost".*"uvxx".*\/opt\/nothing-here:\/opt\/nor-here/);
  await expectAllElseWorks();
});

it('M1, fault A11: a working directory that does not exist is named, and not the command', async () => {
  const cwd = join(tmpdir(), 'mcpmux-no-such-folder');
  const failed = await cli.call('add_server', { name: 'homeless', ...fixtureServer('echo'), cwd });
  expect(failureText(failed)).toContain(`cwd ${JSON.stringify(cwd)}`);
  expect(failureText(failed)).not.toContain('command');
  await expectAllElseWorks();
});

it('M1, fault A1: a server that never answers the handshake is given up, with the last it wrote to stderr', async () => {
  // an mcpmux of its own for the short limit; on a busy machine a server may need several attempts to start, or to
  // write a line, within it
  await using impatient = new RawCli({ args: ['--log-level', 'error', '--start-timeout', '1'] });
  await impatient.initialize();
  await vi.waitFor(async () => {
    const added = await impatient.call('add_server', { name: 'fine', ...fixtureServer('env-dump') });
    expect(added.result).toMatchObject({ structuredContent: { status: 'running' } });
  }, 10_000);
  await vi.waitFor(async () => {
    const failed = await impatient.call('add_server', { name: 'mute', ...fixtureServer('never-initialize') });
    expect(failureText(failed)).toMatch(/"mute".*initialize within 1 s[^]*waiting for a licence key/);
  }, 30_000);
  const { result } = await impatient.call('list_servers');
  const servers = [{ name: 'fine', status: 'running', restarts: 0 }];
  expect(result).toMatchObject({ structuredContent: { servers } });
  expect(textOf(await impatient.call('fine__env'))).toContain('PATH');
});

it('M1, fault A2: a server that exits during the handshake is reported with its exit code and stderr', async () => {
  const failed = await cli.call('add_server', { name: 'poor', ...fixtureServer('exit-in-handshake') });
  expect(failureText(failed)).toMatch(/"poor" exited with code 7[^]*fatal: cannot reach the database/);
  await expectAllElseWorks();
});

it('M1: a name that is taken is refused, in any case, and its server goes on', async () => {
  for (const name of ['fine', 'FINE']) {
    const refused = await cli.call('add_server', { name, ...fixtureServer('env-dump') });
    expect(failureText(refused)).toMatch(/"fine".*exists already.*reload_server/);
  }
  await expectAllElseWorks();
});

it.each(['remove_server', 'reload_server'])(
  'M2 M3: %s of an unknown name lists the known ones',
  async (tool) => {
    expect(failureText(await cli.call(tool, { name: 'gone' }))).toMatch(/"gone".*: fine\./);
    await expectAllElseWorks();
  },
);

it('an unknown tool is answered with -32602 and what to do', async () => {
  const ofServer = await cli.call('fine__shout', { message: 'hi' });
  expect(ofServer.error).toMatchObject({
    code: -32602,
    message: expect.stringContaining('"fine"') as string,
  });
  const ofNobody = await cli.call('gone__echo', { message: 'hi' });
  expect(ofNobody.error).toMatchObject({ code: -32602, message: expect.stringContaining('"gone') as string });
  await expectAllElseWorks();
});

it('a second handshake is answered and changes nothing', async () => {
  const response = await cli.request('initialize', CLIENT);
  expect(response.result).toMatchObject({ serverInfo: { name: 'mcpmux' } });
  await expectAllElseWorks();
});
