import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { describe, expect, it } from 'vitest';

import { CellClient } from '../cells/cell-client.js';
import { REVISIONS } from '../cells/cell.js';
import { CLI, cleanEnvironment, NODE } from '../testing/built-cli.js';
import { hasPython, PYTHON_PATH } from './install-peers.js';

const env = { PYTHONPATH: PYTHON_PATH };
const MUX = [NODE, CLI, '--log-level', 'error'] as const;
const SERVERS = [
  ['mcp 2.3.0', 'mcp_server.py'],
  ['FastMCP 4.0.11', 'fastmcp_server.py'],
] as const;
/** A client's era, how mcpmux is to speak to the server, and what they agree on. */
const AGREED = [
  ['legacy', 'auto', 'legacy'],
  ['legacy', 'modern', 'modern'],
  ['modern', 'auto', 'modern'],
  ['modern', 'legacy', 'legacy'],
] as const;
const CASES = SERVERS.flatMap(([peer, script]) =>
  AGREED.flatMap(([era, protocol, agreed]) =>
    (['stdio', 'HTTP'] as const).map((transport) => {
      const revisions = { server: REVISIONS[agreed], client: REVISIONS[era] };
      return { peer, script, era, protocol, revisions, transport };
    }),
  ),
);

function inPython(script: string): string {
  return fileURLToPath(new URL(`python/${script}`, import.meta.url));
}

/** Starts a server in Python over HTTP. */
async function pythonAtUrl(script: string): Promise<AsyncDisposable & { readonly url: string }> {
  const child = spawn('python3', [inPython(script), 'http'], {
    env: cleanEnvironment(env),
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const exited = once(child, 'exit');
  const [port] = (await once(child.stdout, 'data')) as [Buffer];
  return {
    url: `http://127.0.0.1:${Number(String(port))}/mcp`,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

describe.skipIf(!hasPython())('peers in Python', () => {
  it.each(CASES)(
    'a server on $peer that negotiated $revisions.server over $transport is used by a client of $revisions.client',
    async ({ script, era, protocol, revisions, transport }) => {
      await using server = transport === 'HTTP' ? await pythonAtUrl(script) : undefined;
      const [command, ...args] = MUX;
      await using client = new CellClient(era, { command, args, env: cleanEnvironment() }, 'v__');
      await client.connect();
      const program = { command: 'python3', args: [inPython(script)], env };
      const config = { name: 'v', ...(server === undefined ? program : { url: server.url }), protocol };
      await client.raw('tools/call', { name: 'add_server', arguments: config });
      const { result: listed } = await client.raw('tools/call', { name: 'list_servers', arguments: {} });
      expect(JSON.stringify(listed)).toContain(`"protocol_version":"${revisions.server}"`);
      client.recorder.begin();
      await client.call('count', { n: 3 }, { onprogress: () => undefined });
      const kinds = client.recorder.outcome.map((seen) => ('method' in seen ? seen.method : seen.kind));
      expect(kinds.filter((kind) => kind !== 'notifications/tools/list_changed')).toEqual([
        ...Array<string>(3).fill('notifications/progress'),
        'result',
      ]);
      const echo = { name: client.named('echo'), arguments: { message: 'héllo' } };
      const { result } = await client.raw('tools/call', echo);
      expect(result).toMatchObject({ content: [{ type: 'text', text: 'héllo' }] });
    },
  );

  it.each([
    ['auto', '2026-07-28', 'modern'],
    ['auto', '2026-07-28', 'legacy'],
    ['2026-07-28', '2026-07-28', 'modern'],
    ['legacy', '2025-11-25', 'modern'],
    ['legacy', '2025-11-25', 'legacy'],
  ] as const)(
    'a client on mcp 2.3.0 (%s) that negotiated %s uses a %s server on SDK 2.4.0, and is asked',
    async (mode, revision, protocol) => {
      const program = fileURLToPath(new URL('../cells/cell-server.mjs', import.meta.url));
      const config = JSON.stringify({ name: 'v', command: NODE, args: [program], protocol });
      const args = [inPython('mcp_client.py'), mode, config, ...MUX];
      const { stdout } = await promisify(execFile)('python3', args, { env: cleanEnvironment(env) });
      expect(JSON.parse(stdout)).toMatchObject({
        revision,
        tools: expect.arrayContaining(['v__count', 'v__ask']) as unknown,
        counted: '3',
        steps: [1, 2, 3],
        asked: JSON.stringify({ form: { action: 'accept', content: { name: '[v] Your name?' } } }),
      });
    },
  );
});
