import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { hasBubblewrap } from '@mcpmux/testing/bubblewrap';
import { describe, expect, it } from 'vitest';

import { AGENTS } from './testing/agents.js';
import { installedServer, NODE } from './testing/built-cli.js';
import { fixtureServer } from './testing/fixture-server.js';
import { Person } from './testing/person.js';

const REPOSITORY = await realpath(fileURLToPath(new URL('../..', import.meta.url)));
/** The repository may lie in the folder for temporary files, which a sandbox hides. */
const READS = { allowRead: [REPOSITORY] };
const [, connect] = AGENTS[0] ?? [];
if (connect === undefined) throw new Error('there is no agent');

/** A folder outside of the folder for temporary files. */
async function workFolder() {
  const base = join(dirname(fileURLToPath(import.meta.url)), '..', 'node_modules');
  const path = await realpath(await mkdtemp(join(base, '.sandbox-')));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

describe.skipIf(!hasBubblewrap)('a server of the config with a sandbox', () => {
  it('works in its folder, and its calls do not reach further', async () => {
    await using work = await workFolder();
    const [inside, outside] = [join(work.path, 'inside'), join(work.path, 'outside')];
    await mkdir(inside);
    await mkdir(outside);
    const command = {
      command: NODE,
      args: [installedServer('@modelcontextprotocol/server-filesystem'), work.path],
    };
    const sandbox = { filesystem: { ...READS, allowWrite: [inside] } };
    const config = join(work.path, 'mcpmux.json');
    await writeFile(config, JSON.stringify({ mcpServers: { files: { ...command, cwd: inside, sandbox } } }));
    await using agent = await connect({ args: ['--log-level', 'error', '--config', config] });
    // The first list waits for servers that start.
    await agent.tools();
    const write = (path: string) => agent.call('files__write_file', { path, content: 'x' });
    await expect(write(join(inside, 'a'))).resolves.toMatchObject({ isError: false });
    expect(existsSync(join(inside, 'a'))).toBe(true);
    await expect(write(join(outside, 'a'))).resolves.toMatchObject({ isError: true });
    expect(existsSync(join(outside, 'a'))).toBe(false);
    const read = await agent.call('files__read_text_file', { path: config });
    expect(read.isError).toBe(true);
    const { structured } = await agent.call('list_servers');
    expect(structured).toMatchObject({
      servers: [
        {
          name: 'files',
          sandbox: `bubblewrap; network: none; writes: its working directory, ${inside}; also reads: ${REPOSITORY}`,
        },
      ],
    });
  });
});

describe.skipIf(!hasBubblewrap)('--add-policy sandbox', () => {
  it('lets an agent add any command, confined, and asks nobody', async () => {
    await using work = await workFolder();
    const settings = JSON.stringify({ filesystem: READS });
    const args = ['--log-level', 'error', '--add-policy', 'sandbox', '--add-sandbox', settings];
    await using agent = await connect({ args, cwd: work.path });
    await expect(agent.call('add_server', { name: 'echo', ...fixtureServer('echo') })).resolves.toMatchObject(
      {
        isError: false,
      },
    );
    const { structured } = await agent.call('list_servers');
    expect(structured).toMatchObject({
      servers: [{ sandbox: expect.stringContaining('bubblewrap; network: none') as unknown }],
    });
    const stranger = { command: '/bin/sh', args: ['-c', `echo x > ${REPOSITORY}/escaped; exit 3`] };
    const refused = await agent.call('add_server', { name: 'evil', ...stranger });
    expect(refused.text).toContain(
      `Its sandbox refused to write ${REPOSITORY}/escaped, according to its stderr.`,
    );
    expect(existsSync(join(REPOSITORY, 'escaped'))).toBe(false);
    const wider = await agent.call('add_server', { name: 'wide', ...stranger, sandbox: { network: true } });
    expect(wider).toMatchObject({
      isError: true,
      text: expect.stringContaining('(rule: sandbox)') as unknown,
    });
  });
});

describe('a system without a sandbox', () => {
  const env = { MCPMUX_BWRAP: '/no/such/bwrap' };

  it.runIf(process.platform === 'linux')(
    'starts no server that has one, and says what to install',
    async () => {
      await using agent = await connect({ args: ['--log-level', 'error', '--add-policy', 'sandbox'], env });
      const added = await agent.call('add_server', { name: 'echo', ...fixtureServer('echo') });
      expect(added.isError).toBe(true);
      expect(added.text).toContain(
        'this system cannot confine it: bubblewrap is not installed. Install bubblewrap: apt install bubblewrap',
      );
      await expect(agent.call('list_servers')).resolves.toMatchObject({ structured: { servers: [] } });
    },
  );

  it.runIf(process.platform === 'linux')('is a problem for doctor', async () => {
    await using person = await Person.arrive();
    const file = join(person.home, 'mcpmux.json');
    await writeFile(
      file,
      JSON.stringify({ mcpServers: { echo: { ...fixtureServer('echo'), sandbox: true } } }),
    );
    const { stdout, code } = await person.run(['doctor', '--config', file], { env });
    expect(code).not.toBe(0);
    expect(stdout).toContain('bubblewrap is not installed, so these servers do not start: echo');
    expect(stdout).toContain('Next: Install bubblewrap: apt install bubblewrap');
  });
});
