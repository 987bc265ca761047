import { RemoteServer } from '@mcpmux/test-servers/remote-server';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { CLI, installedServer, NODE } from './testing/built-cli.js';
import { Person } from './testing/person.js';
import { hasTerminals, Terminal } from './testing/terminal.js';

const EVERYTHING = installedServer('@modelcontextprotocol/server-everything');
let person: Person;

beforeAll(async () => {
  person = await Person.arrive();
  await person.configure({ mcpServers: { everything: { command: NODE, args: [EVERYTHING] } } });
  await person.mcpmux('tools');
});

afterAll(() => person[Symbol.asyncDispose]());

it.each([
  ['SERVER.TOOL', ['everything.get-sum']],
  ['SERVER TOOL', ['everything', 'get-sum']],
  ['the name of the only tool of that name', ['get-sum']],
])('call takes %s', async (_, words) => {
  expect(await person.mcpmux('call', ...words, 'a=2', 'b=3')).toEqual({
    stdout: 'The sum of 2 and 3 is 5.\n',
    stderr: '',
    code: 0,
  });
});

it('arguments that do not fit the schema are told before the call, each one', async () => {
  const reported = await person.mcpmux('call', 'get-annotated-message', 'messageType=loud');
  expect(reported).toMatchObject({ code: 2, stdout: '' });
  expect(reported.stderr).toContain('"messageType": must be one of ["error","success","debug"]');
  expect((await person.mcpmux('call', 'get-sum', 'a=2')).stderr).toContain('"b" is missing');
  const sent = await person.mcpmux('call', 'get-sum', 'a=2', '--no-validate');
  expect(sent).toMatchObject({ code: 5 });
});

it('prompts and resources are listed and printed', async () => {
  const prompts = await person.mcpmux('prompts');
  expect(prompts.stdout).toContain('everything.simple-prompt()');
  const prompt = await person.mcpmux('prompt', 'everything.args-prompt', 'city=Paris');
  expect(prompt).toMatchObject({ code: 0 });
  expect(prompt.stdout).toMatch(/^user: .*Paris/);
  const [first = ''] = (await person.mcpmux('resources')).stdout.split(/\s/);
  expect(first).toContain('://');
  const read = await person.mcpmux('read', first);
  expect(read).toMatchObject({ code: 0 });
  expect(read.stdout.length).toBeGreaterThan(100);
});

it('a server at a url is used without adding it', async () => {
  await using remote = await RemoteServer.open();
  const before = await person.read('.config/mcpmux/config.json');
  const [tool = ''] = (await person.mcpmux('tools', remote.url, '--names')).stdout.split('\n');
  expect(tool).toContain('.');
  const called = await person.mcpmux('call', remote.url, 'echo', 'message=hi');
  expect(called).toEqual({ stdout: 'hi\n', stderr: '', code: 0 });
  expect(await person.read('.config/mcpmux/config.json')).toBe(before);
});

it.skipIf(!hasTerminals)('at a terminal the progress of a call is shown', async () => {
  const words = ['call', 'trigger-long-running-operation', 'duration=1', 'steps=2'];
  await using terminal = new Terminal([NODE, CLI, ...words], { cwd: person.home, env: person.environment });
  await terminal.until('trigger-long-running-operation: 1 of 2');
  expect(await terminal.end()).toMatchObject({ code: 0 });
});
