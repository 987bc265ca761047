import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { fixtureServer } from './testing/fixture-server.js';
import { Person, type Outcome } from './testing/person.js';
import { RawCli } from './testing/raw-cli.js';
import { textOf } from './testing/tool-response.js';

const MERGE = { MCPMUX_PROJECT_CONFIG: 'merge' };
const echo = fixtureServer('echo');

/** A person with servers, in the folder of a project with servers. */
async function arrived(): Promise<{
  readonly person: Person;
  readonly folder: string;
  readonly run: (...words: readonly string[]) => Promise<Outcome>;
}> {
  const person = await Person.arrive();
  const folder = join(person.home, 'app');
  await mkdir(folder);
  await person.configure({
    mcpServers: { mine: echo, off: { ...echo, disabled: true } },
    guards: { access: { rules: [{ tools: ['slow_echo'], allow: false }], otherwise: 'allow' } },
  });
  await person.write('app/mcpmux.json', {
    mcpServers: { theirs: echo, off: echo, mine: { command: 'no-such' } },
  });
  const run = (...words: readonly string[]): Promise<Outcome> =>
    person.run(words, { cwd: folder, env: MERGE });
  return { person, folder, run };
}

it('the servers of a project stand beside those of the user, whose settings and servers win', async () => {
  const { person, folder, run } = await arrived();
  await using _ = person;
  const env = { ...person.environment, ...MERGE };
  await using cli = new RawCli({ env, cwd: folder });
  await cli.initialize();
  const { result } = await cli.request('tools/list');
  const names = (result as { tools: { name: string }[] }).tools.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['mine__echo', 'theirs__echo']));
  expect(names).not.toContain('off__echo');
  expect(textOf(await cli.call('theirs__echo', { message: 'hi' }))).toBe('hi');
  const { stdout } = await run('call', 'theirs.echo', 'message=ho');
  expect(stdout).toBe('ho\n');
  const denied = await cli.call('theirs__slow_echo', { message: 'hi', delay_ms: 0 });
  expect(denied.error?.message).toContain('"slow_echo" of server "theirs" is not permitted');
});

it('without the wish, and with --config, no project is added', async () => {
  const { person, folder, run } = await arrived();
  await using _ = person;
  const alone = await person.run(['list', '--json'], { cwd: folder });
  expect(alone.stdout).not.toContain('theirs');
  expect((await run('list', '--json')).stdout).toContain('theirs');
  expect((await run('list', '--json', '--config', person.config)).stdout).not.toContain('theirs');
});

it('get says which file has a server, and an edit goes to the file that has the entry', async () => {
  const { person, folder, run } = await arrived();
  await using _ = person;
  const project = join(folder, 'mcpmux.json');
  expect((await run('get', 'theirs')).stdout).toContain(`${project}:`);
  expect((await run('get', 'mine')).stdout).toContain(`${person.config}:`);
  const all = await run('config', 'get');
  expect(JSON.parse(all.stdout)).toMatchObject({
    mcpServers: { theirs: echo, mine: echo, off: { disabled: true } },
  });
  expect(all.stderr).toBe(`From ${project}: theirs\nAll else from ${person.config}\n`);
  expect(await run('disable', 'theirs')).toMatchObject({ code: 0 });
  expect(await person.read('app/mcpmux.json')).toContain('"disabled": true');
  expect(await run('config', 'set', 'mcpServers.theirs.mux.lazy', 'true')).toMatchObject({ code: 0 });
  expect(await person.read('app/mcpmux.json')).toContain('"lazy": true');
  expect(await run('remove', 'theirs')).toMatchObject({ code: 0 });
  expect(await person.read('app/mcpmux.json')).not.toContain('theirs');
  expect(await run('enable', 'off')).toMatchObject({ code: 0 });
  expect(JSON.parse(await person.read('.config/mcpmux/config.json'))).toMatchObject({
    mcpServers: { mine: echo, off: echo },
  });
  expect((await run('remove', 'mine', 'theirs')).code).toBe(6);
});
