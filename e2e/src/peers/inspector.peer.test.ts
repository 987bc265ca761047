import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { CLI, cleanEnvironment, NODE } from '../testing/built-cli.js';
import { fixtureServer } from '../testing/fixture-server.js';
import { HttpCli } from '../testing/http-cli.js';
import { peerCommand } from './install-peers.js';

const run = promisify(execFile);

describe('A11: the command of the MCP Inspector', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mcpmux-inspector-'));
  const config = join(folder, 'mcpmux.json');
  let front: HttpCli;

  async function inspect(target: readonly string[], ...args: readonly string[]): Promise<unknown> {
    const flags = ['--cli', ...target, ...args];
    const env = cleanEnvironment({ HOME: folder, NO_COLOR: '1' });
    const { stdout } = await run(peerCommand('mcp-inspector'), flags, { env, cwd: folder });
    return JSON.parse(stdout);
  }

  beforeAll(async () => {
    writeFileSync(config, JSON.stringify({ mcpServers: { e: fixtureServer('echo') } }));
    front = await HttpCli.open({ args: ['--config', config], env: { XDG_STATE_HOME: folder } });
    await front.until(() => front.stderr.includes('saved for the next start'));
  });
  afterAll(async () => {
    await front[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true });
  });

  it('is what `mcpmux inspect NAME` starts', async () => {
    const printed = await run(NODE, [CLI, 'inspect', 'e', '--config', config, '--print', '--json']);
    const { command } = JSON.parse(printed.stdout) as { readonly command: readonly string[] };
    const kept = ['-e', `XDG_STATE_HOME=${folder}`];
    expect(command.slice(0, 4)).toEqual(['npx', '-y', '@modelcontextprotocol/inspector', '--']);
    const { tools } = (await inspect([...kept, '--method', 'tools/list', ...command.slice(3)])) as {
      readonly tools: readonly { readonly name: string }[];
    };
    expect(tools.map(({ name }) => name)).toContain('e__echo');
  });

  // Each run over stdio is a mcpmux of its own that is asked at once: it answers with what the front has kept of its server.
  describe.each([
    ['over HTTP', 'legacy'],
    ['over HTTP', 'modern'],
    ['over stdio', 'legacy'],
    ['over stdio', 'modern'],
  ])('%s in the %s era', (way, era) => {
    const target = (): readonly string[] => [
      ...(way === 'over HTTP'
        ? [front.url.href, '--transport', 'http']
        : [NODE, CLI, '-e', `MCPMUX_CONFIG=${config}`, '-e', `XDG_STATE_HOME=${folder}`]),
      '--protocol-era',
      era,
    ];

    it('lists the tools, those of mcpmux and of its server', async () => {
      const { tools } = (await inspect(target(), '--method', 'tools/list')) as { tools: { name: string }[] };
      expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['add_server', 'e__echo']));
    });

    it('calls a tool', async () => {
      const call = ['--method', 'tools/call', '--tool-name', 'e__echo', '--tool-arg', 'message=hello'];
      expect(await inspect(target(), ...call)).toMatchObject({ content: [{ type: 'text', text: 'hello' }] });
    });

    it('lists no resources and no prompts where the servers have none', async () => {
      expect(await inspect(target(), '--method', 'resources/list')).toMatchObject({ resources: [] });
      expect(await inspect(target(), '--method', 'prompts/list')).toMatchObject({ prompts: [] });
    });
  });
});
