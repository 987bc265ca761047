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

it('without --catalog, add_server does not show persist and refuses it with what to do', async () => {
  await using mcpmux = new RawCli({ args: ['--no-config'] });
  await mcpmux.initialize();
  const { result: tools } = await mcpmux.request('tools/list');
  expect(JSON.stringify(tools)).not.toContain('persist"');
  const { result } = await mcpmux.call('add_server', { name: 'kept', ...ECHO, persist: true });
  expect(result).toMatchObject({ isError: true });
  expect(JSON.stringify(result)).toContain('--catalog FILE');
});
