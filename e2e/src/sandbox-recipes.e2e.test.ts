import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

import { hasBubblewrap } from '@mcpmux/testing/bubblewrap';
import { describe, expect, it } from 'vitest';

import { AGENTS, type Agent } from './testing/agents.js';

const [, connect] = AGENTS[0] ?? [];
if (connect === undefined) throw new Error('there is no agent');

const has = (program: string, ...args: readonly string[]): boolean =>
  spawnSync(program, args, { timeout: 20_000 }).status === 0;
const hasNpm = hasBubblewrap && has('npm', 'view', '@modelcontextprotocol/server-memory', 'version');
const hasUvx = hasBubblewrap && has('uvx', '--version');
const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
const LIMIT_MS = 180_000;

/** A working folder in the home folder, because the folder for temporary files is hidden. */
async function workFolder() {
  const path = await realpath(await mkdtemp(join(homedir(), '.mcpmux-recipes-')));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

/** Starts a server with a network, which its first run needs; then without, from the caches that it has filled. */
async function bothRuns(entry: object, work: string, use: (agent: Agent) => Promise<void>): Promise<void> {
  const state = join(work, '.state');
  for (const network of [true, false]) {
    const config = join(work, 'mcpmux.json');
    const server = { ...entry, sandbox: { network }, mux: { inheritEnv: 'all', startTimeoutMs: LIMIT_MS } };
    await writeFile(config, JSON.stringify({ mcpServers: { s: server } }));
    const args = ['--log-level', 'error', '--config', config];
    await using agent = (await connect?.({ args, cwd: work, env: { XDG_STATE_HOME: state } })) as Agent;
    const isListed = async (): Promise<boolean> =>
      (await agent.tools()).some(({ name }) => name.startsWith('s__'));
    await expect.poll(isListed, { timeout: LIMIT_MS }).toBe(true);
    await use(agent);
  }
}

describe('recipes of docs/sandbox.md', () => {
  it.skipIf(!hasNpm)('memory, by npx', { timeout: 2 * LIMIT_MS }, async () => {
    await using work = await workFolder();
    const env = { MEMORY_FILE_PATH: './memory.jsonl' };
    await bothRuns(
      { command: 'npx', args: ['-y', '@modelcontextprotocol/server-memory'], env },
      work.path,
      async (agent) => {
        await expect(agent.call('s__read_graph')).resolves.toMatchObject({ isError: false });
      },
    );
  });

  it.skipIf(!hasNpm)('filesystem, by npx', { timeout: 2 * LIMIT_MS }, async () => {
    await using work = await workFolder();
    const args = ['-y', '@modelcontextprotocol/server-filesystem', work.path];
    await bothRuns({ command: 'npx', args }, work.path, async (agent) => {
      const path = join(work.path, 'a');
      await expect(agent.call('s__write_file', { path, content: 'x' })).resolves.toMatchObject({
        isError: false,
      });
    });
  });

  it.skipIf(!hasUvx)('git, by uvx', { timeout: 2 * LIMIT_MS }, async () => {
    await using work = await workFolder();
    spawnSync('git', ['init', '--quiet', work.path]);
    await bothRuns({ command: 'uvx', args: ['mcp-server-git'] }, work.path, async (agent) => {
      await writeFile(join(work.path, 'a'), 'x');
      const repository = { repo_path: work.path };
      await expect(agent.call('s__git_add', { ...repository, files: ['a'] })).resolves.toMatchObject({
        isError: false,
      });
    });
  });

  it.skipIf(!hasNpm || !existsSync(CHROMIUM))(
    'a browser, by playwright',
    { timeout: 2 * LIMIT_MS },
    async () => {
      await using work = await workFolder();
      const args = [
        '-y',
        '@playwright/mcp',
        '--headless',
        '--isolated',
        '--no-sandbox',
        '--executable-path',
        CHROMIUM,
      ];
      const env = { XDG_CACHE_HOME: '/tmp', XDG_CONFIG_HOME: '/tmp' };
      await bothRuns({ command: 'npx', args, env }, work.path, async (agent) => {
        const opened = await agent.call('s__browser_navigate', { url: 'data:text/html,<h1>Hello</h1>' });
        expect(opened.text).toContain('Page URL: data:text/html');
      });
    },
  );
});
