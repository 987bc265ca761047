import { join } from 'node:path';

import { expect, it } from 'vitest';

import { NODE } from './testing/built-cli.js';
import { fixtureServer } from './testing/fixture-server.js';
import { Person } from './testing/person.js';
import { RawCli } from './testing/raw-cli.js';
import { failureText, textOf } from './testing/tool-response.js';

const SECRET = 'of-the-vault-4711';
const STATE = join('.local', 'state', 'mcpmux');

/** A vault that notes each reading, and a server whose token is in it. */
async function vaultOf(person: Person, program = `process.stdout.write('${SECRET}\\n');`): Promise<string> {
  const note = "require('node:fs').appendFileSync('readings', process.argv.slice(2).join('|') + '\\n');";
  const vault = await person.write(
    'vault.cjs',
    `process.chdir(${JSON.stringify(person.home)}); ${note} ${program}`,
  );
  return `'${NODE}' '${vault}' read "op://my vault/item"`;
}

async function readings(person: Person): Promise<readonly string[]> {
  const text = await person.read('readings').catch(() => '');
  return text.split('\n').filter((line) => line !== '');
}

/** A server that shows its environment, and a client of the mcpmux that has it. */
function serverWith(line: string): object {
  return { mcpServers: { s: { ...fixtureServer('env-dump'), env: { TOKEN: `key \${cmd:${line}}` } } } };
}

async function client(person: Person): Promise<RawCli> {
  const cli = new RawCli({ env: person.environment, cwd: person.home });
  await cli.initialize();
  await cli.request('tools/list');
  return cli;
}

async function tokenOf(cli: RawCli): Promise<unknown> {
  const { env } = JSON.parse(textOf(await cli.call('s__env'))) as { env: Record<string, unknown> };
  return env['TOKEN'];
}

it('a command gives a value once a person has approved it, once for each start', async () => {
  await using person = await Person.arrive();
  await person.configure(serverWith(await vaultOf(person)));
  {
    await using cli = await client(person);
    await cli.until(() => (cli.stderr.includes('a call waits for an approval') ? true : undefined));
    const { result } = await cli.call('list_servers');
    expect(JSON.stringify(result)).toContain('Ask the user to run: mcpmux approve');
    expect(await readings(person)).toEqual([]);
    const { stdout } = await person.mcpmux('approve');
    const [id = ''] = stdout.split(' ');
    expect(stdout).toMatch(/^\d+\.\d+ {2}s\.cmd: .*--for once\|always\n {2}\["/);
    expect(await person.mcpmux('approve', id, '--for', 'always')).toMatchObject({ code: 0 });
    // The server starts by itself.
    await expect
      .poll(async () => (await cli.call('list_servers')).result)
      .toMatchObject({
        structuredContent: { servers: [{ name: 's', status: 'running' }] },
      });
    expect(await tokenOf(cli)).toBe(`key ${SECRET}`);
    expect(await readings(person)).toEqual(['read|op://my vault/item']);
    await cli.call('reload_server', { name: 's' });
    expect(await readings(person)).toHaveLength(2);
    expect(cli.stderr).not.toContain(SECRET);
  }
  await using cli = await client(person);
  expect(await tokenOf(cli)).toBe(`key ${SECRET}`);
  expect(await readings(person)).toHaveLength(3);
});

it('without a running mcpmux the command of the config is approved, and withdrawn, by its words', async () => {
  await using person = await Person.arrive();
  await person.configure(serverWith(await vaultOf(person)));
  const call = ['call', 's.env', '--json'];
  const refused = await person.mcpmux(...call);
  expect(refused.stdout + refused.stderr).toContain('mcpmux approve');
  const listed = await person.mcpmux('approve');
  expect(listed).toMatchObject({ code: 0, stdout: expect.stringMatching(/^cmd-[\da-f]{8} {2}s runs this/) });
  const [id = ''] = listed.stdout.split(' ');
  expect(await person.mcpmux('approve', id, '--deny')).toMatchObject({ code: 2 });
  expect(await person.mcpmux('approve', id)).toMatchObject({ code: 0 });
  expect((await person.mcpmux('approve')).stderr).toContain('No call waits');
  const answered = await person.mcpmux(...call);
  expect(answered).toMatchObject({ code: 0, stdout: expect.stringContaining(SECRET) });
  const saved = await person.mcpmux('approve', '--saved');
  expect(saved.stdout).toContain("read 'op://my vault/item'");
  expect(await person.read(join(STATE, 'approvals.json'))).not.toContain(SECRET);
  expect(await person.mcpmux('approve', '--forget', 'all')).toMatchObject({ code: 0 });
  expect((await person.mcpmux(...call)).code).not.toBe(0);
  // Another word is another command.
  await person.mcpmux('approve', id);
  await person.configure(serverWith(`${await vaultOf(person)} more`));
  expect((await person.mcpmux(...call)).code).not.toBe(0);
  expect(await readings(person)).toHaveLength(1);
});

it('no list, log and error has the value, and an error says which command failed, and how', async () => {
  await using person = await Person.arrive();
  const line = await vaultOf(person);
  const talks = `console.error(process.env.TOKEN); setTimeout(() => process.exit(3), 100)`;
  const servers = { s: { command: NODE, args: ['-e', talks], env: { TOKEN: `\${cmd:${line}}` } } };
  await person.configure({ mcpServers: servers });
  const [id = ''] = (await person.mcpmux('approve')).stdout.split(' ');
  await person.mcpmux('approve', id);
  for (const words of [['list', '--check'], ['get', 's'], ['doctor'], ['config', 'validate']]) {
    const { stdout, stderr } = await person.mcpmux(...words);
    expect(stdout + stderr).not.toContain(SECRET);
  }
  expect((await person.mcpmux('list', '--check', '--json')).stdout).toContain('[redacted]');
  const fails = `console.error('first'); console.error('no session, password=${SECRET}'); process.exitCode = 7;`;
  await vaultOf(person, fails);
  const failed = await person.mcpmux('list', '--check', '--json');
  expect(failed.stdout).toContain('exited with code 7. Its last lines on stderr:');
  expect(failed.stdout).toContain('no session, password=[redacted]');
  expect(failed.stdout).toContain('Run it in a terminal.');
  await vaultOf(person, '');
  expect((await person.mcpmux('list', '--check', '--json')).stdout).toContain('printed nothing');
});

it('configs and entries of others run no command, and say what to do', async () => {
  await using person = await Person.arrive();
  const line = await vaultOf(person);
  const [value, place] = [`\${cmd:${line}}`, ['--scope', 'project']];
  await person.write('mcpmux.json', serverWith(line));
  const ofProject = await person.mcpmux('list', '--check', ...place);
  expect(ofProject.stdout + ofProject.stderr).toContain(
    'put the server into your own config, or name this file',
  );
  const byAgent = { ...fixtureServer('env-dump'), env: { TOKEN: value }, mux: { addedByAgent: true } };
  await person.configure({ mcpServers: { s: byAgent } });
  expect((await person.mcpmux('config', 'validate')).stderr).toContain(
    'check the entry, and remove addedByAgent',
  );
  await person.configure({ mcpServers: {} });
  {
    await using cli = await client(person);
    const added = await cli.call('add_server', {
      name: 's',
      ...fixtureServer('env-dump'),
      env: { TOKEN: value },
    });
    expect(failureText(added)).toContain('Ask the user to write the server into the config of mcpmux');
  }
  const entry = { ...fixtureServer('env-dump'), env: { TOKEN: value } };
  await person.write('.cursor/mcp.json', { mcpServers: { s: entry } });
  await person.mcpmux('import', 'cursor', '--yes');
  const { stdout } = await person.mcpmux('call', 's.env', '--json');
  expect(stdout).toContain('${cmd:');
  expect(await readings(person)).toEqual([]);
});
