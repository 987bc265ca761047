import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { hasBubblewrap } from '@mcpmux/testing/bubblewrap';
import { describe, expect, it } from 'vitest';

import { MODES, type Era } from './testing/asking-client.js';
import { CLI, cleanEnvironment, installedServer, NODE } from './testing/built-cli.js';
import { Person } from './testing/person.js';

const KEY = 'codex/sandbox-state-meta';
const REPOSITORY = await realpath(fileURLToPath(new URL('../..', import.meta.url)));

/** What Codex sends with each call: a profile, and for older servers the policy. */
const state = (cwd: string, entries: readonly object[]): object => ({
  permissionProfile: {
    type: 'managed',
    file_system: { type: 'restricted', entries },
    network: 'restricted',
  },
  codexLinuxSandboxExe: null,
  sandboxCwd: `file://${cwd}`,
  useLegacyLandlock: false,
});
const special = (kind: string, access: string): object => ({
  path: { type: 'special', value: { kind } },
  access,
});
const ROOT = special('root', 'read');

/** A project outside of the folder for temporary files, with a server for its files that follows its client. */
async function project() {
  const base = fileURLToPath(new URL('../node_modules', import.meta.url));
  const path = await realpath(await mkdtemp(join(base, '.follow-')));
  const [app, other] = [join(path, 'app'), join(path, 'other')];
  for (const folder of [app, other]) await mkdir(folder);
  const sandbox = { follow: 'client', filesystem: { allowRead: [REPOSITORY], allowWrite: [path] } };
  const args = [installedServer('@modelcontextprotocol/server-filesystem'), path];
  const config = join(path, 'mcpmux.json');
  await writeFile(
    config,
    JSON.stringify({ mcpServers: { files: { command: NODE, args, cwd: app, sandbox } } }),
  );
  return { app, other, config, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

async function connected(person: Person, config: string, era: Era): Promise<Client> {
  const client = new Client(
    { name: 'codex-mcp-client', version: '1' },
    { versionNegotiation: { mode: MODES[era] } },
  );
  await client.connect(
    new StdioClientTransport({
      command: NODE,
      args: [CLI, '--log-level', 'error', '--config', config],
      env: cleanEnvironment({ ...person.environment }),
      cwd: person.home,
      stderr: 'ignore',
    }),
  );
  await client.listTools();
  return client;
}

describe.skipIf(!hasBubblewrap).each<Era>(['legacy', 'modern'])('Codex in the %s era', (era) => {
  it('finds a server in the sandbox of each call, and never beyond that of the entry', async () => {
    await using person = await Person.arrive();
    await using here = await project();
    const client = await connected(person, here.config, era);
    const writes = async (file: string, described?: object): Promise<boolean> => {
      const { isError } = await client.callTool({
        name: 'files__write_file',
        arguments: { path: file, content: 'x' },
        ...(described && { _meta: { [KEY]: described } }),
      });
      expect(existsSync(file)).toBe(isError !== true);
      await rm(file, { force: true });
      return isError !== true;
    };
    const [inside, outside, beyond] = [
      join(here.app, 'a'),
      join(here.other, 'a'),
      join(REPOSITORY, 'follow-a'),
    ];
    const workspace = state(here.app, [ROOT, special('project_roots', 'write')]);
    try {
      await expect(writes(inside, state(here.app, [ROOT]))).resolves.toBe(false);
      await expect(writes(inside, workspace)).resolves.toBe(true);
      await expect(writes(outside, workspace)).resolves.toBe(false);
      const open = { ...state(here.app, []), permissionProfile: { type: 'disabled' } };
      await expect(writes(outside, open)).resolves.toBe(true);
      await expect(writes(beyond, open)).resolves.toBe(false);
      await expect(writes(outside)).resolves.toBe(true);
    } finally {
      await client.close();
    }
  });
});
