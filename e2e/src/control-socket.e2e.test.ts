import process from 'node:process';

import { expect, it } from 'vitest';

import { fixtureServer } from './testing/fixture-server.js';
import { Person } from './testing/person.js';
import { RawCli } from './testing/raw-cli.js';

const HOSTILE = '\u001B]0;title\u0007"__\\'.repeat(50);
const IS_LINUX = process.platform === 'linux';

async function serving(person: Person): Promise<RawCli> {
  await person.configure({ mcpServers: { echo: fixtureServer('echo') } });
  const mcpmux = new RawCli({ env: person.environment, cwd: person.home });
  await mcpmux.initialize();
  await mcpmux.until(() => mcpmux.stderr.includes('commands can reach this mcpmux') || undefined);
  await mcpmux.until(() => mcpmux.stderr.includes('[echo] server running') || undefined);
  return mcpmux;
}

it.each([HOSTILE, 'x'.repeat(100_000)])(
  'a reload of a server with a long name is refused: %.20j',
  async (name) => {
    await using person = await Person.arrive();
    await using _ = await serving(person);
    const { stderr, code } = await person.mcpmux('reload', name);
    expect({ stderr, code }).toMatchObject({ code: 6, stderr: expect.stringContaining('Next: mcpmux list') });
  },
);

it('a query that is too long is a usage error, and one that is not is searched for', async () => {
  await using person = await Person.arrive();
  await using _ = await serving(person);
  const { stderr, code } = await person.mcpmux('tools', HOSTILE);
  expect({ stderr, code }).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('characters; 200 are the limit'),
  });
  expect(stderr).not.toContain('    at ');
  expect((await person.mcpmux('tools', 'e'.repeat(200))).stderr).toContain('no server and no tool matches');
});

it.runIf(IS_LINUX)('a command does not wait for a mcpmux that is suspended', async () => {
  await using person = await Person.arrive();
  await using mcpmux = await serving(person);
  mcpmux.child.kill('SIGSTOP');
  try {
    for (const words of [['reload'], ['reload', 'echo'], ['logs', '-f']]) {
      const { stderr, code } = await person.run(words);
      expect({ stderr, code }).toMatchObject({ code: 4, stderr: expect.stringContaining('does not answer') });
    }
  } finally {
    mcpmux.child.kill('SIGCONT');
  }
});
