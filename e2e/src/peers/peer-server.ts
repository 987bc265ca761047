import { spawn } from 'node:child_process';
import { once } from 'node:events';

import { CellClient } from '../cells/cell-client.js';
import { REVISIONS, type Era } from '../cells/cell.js';
import type { Program } from '../surface/wire.js';
import { CLI, cleanEnvironment, NODE } from '../testing/built-cli.js';

/** The command of mcpmux over stdio. */
export const MUX = [NODE, CLI, '--log-level', 'error'] as const;

export const TRANSPORTS = ['stdio', 'HTTP'] as const;

/** A client's era, how mcpmux is to speak to the server, and what they agree on. */
const AGREED = [
  ['legacy', 'auto', 'legacy'],
  ['legacy', 'modern', 'modern'],
  ['modern', 'auto', 'modern'],
  ['modern', 'legacy', 'legacy'],
] as const;

/** A server of others behind mcpmux, used by a client of one era. */
export interface ServerCase {
  readonly peer: string;
  /** Over stdio; with `http` and a revision as further arguments it serves on a free port, which it prints. */
  readonly program: Program;
  readonly era: Era;
  readonly protocol: string;
  readonly revisions: { readonly server: string; readonly client: string };
  readonly transport: (typeof TRANSPORTS)[number];
}

export function serverCases(peer: string, program: Program): readonly ServerCase[] {
  return AGREED.flatMap(([era, protocol, agreed]) =>
    TRANSPORTS.map((transport) => {
      const revisions = { server: REVISIONS[agreed], client: REVISIONS[era] };
      return { peer, program, era, protocol, revisions, transport };
    }),
  );
}

async function atUrl({
  program,
  revisions,
}: ServerCase): Promise<AsyncDisposable & { readonly url: string }> {
  const { command, args, env } = program;
  const child = spawn(command, [...args, 'http', revisions.server], {
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

/** Runs a script against the server as `v`: the client is connected, and the server was added. */
export async function withServer(
  one: ServerCase,
  script: (client: CellClient) => Promise<void>,
): Promise<void> {
  const { program, era, protocol, transport } = one;
  await using server = transport === 'HTTP' ? await atUrl(one) : undefined;
  const [command, ...args] = MUX;
  await using client = new CellClient(era, { command, args, env: cleanEnvironment() }, 'v__');
  await client.connect();
  const config = { name: 'v', ...(server === undefined ? program : { url: server.url }), protocol };
  await client.raw('tools/call', { name: 'add_server', arguments: config });
  await script(client);
}

/** What the client sees of a server: the revision, the course of a call with progress, and an answer. */
export async function lookedAt(client: CellClient): Promise<object> {
  const { result: listed } = await client.raw('tools/call', { name: 'list_servers', arguments: {} });
  client.recorder.begin();
  await client.call('count', { n: 3 }, { onprogress: () => undefined });
  const kinds = client.recorder.outcome.map((seen) => ('method' in seen ? seen.method : seen.kind));
  const echo = { name: client.named('echo'), arguments: { message: 'héllo' } };
  const { result } = await client.raw('tools/call', echo);
  return {
    revision: /"protocol_version":"([^"]*)"/.exec(JSON.stringify(listed))?.[1],
    count: kinds.filter((kind) => kind !== 'notifications/tools/list_changed'),
    echoed: result?.['content'],
  };
}

/** What `lookedAt` finds of a server that negotiated this revision. */
export function asExpected(revision: string): object {
  return {
    revision,
    count: [...Array<string>(3).fill('notifications/progress'), 'result'],
    echoed: [{ type: 'text', text: 'héllo' }],
  };
}
