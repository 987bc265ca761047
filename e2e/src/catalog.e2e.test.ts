import { expect, it } from 'vitest';

import { fixtureServer } from './testing/fixture-server.js';
import { Person } from './testing/person.js';
import { RawCli } from './testing/raw-cli.js';

const ECHO = fixtureServer('echo');

it('what an agent adds with persist is there in the next mcpmux with that --catalog, until an agent removes it', async () => {
  await using person = await Person.arrive();
  const args = ['--log-level', 'debug', '--catalog', 'mine.json', '--watch'];
  const options = { args, env: person.environment, cwd: person.home };
  {
    await using mcpmux = new RawCli(options);
    await mcpmux.initialize();
    const env = { TOKEN: 'hunter22' };
    const { result } = await mcpmux.call('add_server', { name: 'kept', ...ECHO, env, persist: true });
    expect(result).toMatchObject({ structuredContent: { status: 'running', persisted: true } });
    await mcpmux.call('add_server', { name: 'gone', ...ECHO });
  }
  await using next = new RawCli(options);
  await next.initialize();
  await next.until(() => (next.stderr.includes('[kept] server running') ? true : undefined));
  const { result } = await next.call('remove_server', { name: 'kept' });
  expect(result).toMatchObject({ structuredContent: { name: 'kept', forgotten: true } });
  expect(JSON.parse(await person.read('mine.json'))).toHaveProperty('mcpServers', {});
  expect(next.stderr).not.toContain('hunter22');
});

it.each([
  ['that does not exist yet', undefined],
  ['with a comment of its owner', '{\n  // mine\n  "mcpServers": {}\n}\n'],
])(
  'persist saves a server in the config of the user %s, and the next mcpmux starts it',
  async (_, before) => {
    await using person = await Person.arrive();
    if (before !== undefined) await person.write('.config/mcpmux/config.json', before);
    const options = { args: ['--log-level', 'debug'], env: person.environment, cwd: person.home };
    {
      await using mcpmux = new RawCli(options);
      await mcpmux.initialize();
      const { result } = await mcpmux.call('add_server', { name: 'saved', ...ECHO, persist: true });
      expect(result).toMatchObject({ structuredContent: { status: 'running', persisted: true } });
    }
    const text = await person.read('.config/mcpmux/config.json');
    expect(text).toContain(before === undefined ? '"$schema"' : '// mine');
    expect(text).toContain('"addedByAgent": true');
    await using next = new RawCli(options);
    await next.initialize();
    await next.until(() => (next.stderr.includes('[saved] server running') ? true : undefined));
  },
);

it.each([
  ['--no-config', ['--no-config']],
  ['--config', ['--config', 'named.json']],
  ['--project-config in a project', ['--project-config']],
])('with %s, add_server does not show persist and refuses it with what to do', async (_, args) => {
  await using person = await Person.arrive();
  const files = ['named.json', 'mcpmux.json'];
  for (const file of files) await person.write(file, '{}');
  await using mcpmux = new RawCli({ args, env: person.environment, cwd: person.home });
  await mcpmux.initialize();
  const { result: tools } = await mcpmux.request('tools/list');
  expect(JSON.stringify(tools)).not.toContain('persist"');
  const { result } = await mcpmux.call('add_server', { name: 'saved', ...ECHO, persist: true });
  expect(result).toMatchObject({ isError: true });
  expect(JSON.stringify(result)).toMatch(/mcpmux add.*--catalog FILE/);
  for (const file of files) expect(await person.read(file)).toBe('{}');
});

it('a window saves only servers of all windows, and its refusal says so', async () => {
  await using person = await Person.arrive();
  await person.configure({ mcpServers: {} });
  {
    const args = ['serve', '--shared', '--shared-idle', '1'];
    await using window = new RawCli({ args, env: person.environment, cwd: person.home });
    await window.initialize();
    const wanted = { name: 'saved', ...ECHO, persist: true };
    const refused = await window.call('add_server', wanted);
    expect(JSON.stringify(refused.result)).toMatch(/belong to this window.*scope.*all/);
    const { result } = await window.call('add_server', { ...wanted, scope: 'all' });
    expect(result).toMatchObject({ structuredContent: { status: 'running', persisted: true } });
  }
  await person.mcpmux('stop', '--yes');
  expect(await person.read('.config/mcpmux/config.json')).toContain('"saved"');
});
