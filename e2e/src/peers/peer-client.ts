import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { expect } from 'vitest';

import type { Program } from '../surface/wire.js';
import { cleanEnvironment, NODE } from '../testing/built-cli.js';
import { HttpCli } from '../testing/http-cli.js';
import { MUX, TRANSPORTS } from './peer-server.js';

const CELL_SERVER = fileURLToPath(new URL('../cells/cell-server.mjs', import.meta.url));

/** A client of others in front of mcpmux, with a server on SDK 2.4.0 behind it. */
export interface ClientCase {
  /** As the client calls it. */
  readonly mode: string;
  readonly revision: string;
  readonly protocol: string;
  readonly transport: (typeof TRANSPORTS)[number];
}

/** @param modes each with the revision that is negotiated in it */
export function clientCases(modes: Readonly<Record<string, string>>): readonly ClientCase[] {
  return Object.entries(modes).flatMap(([mode, revision]) =>
    ['modern', 'legacy'].flatMap((protocol) =>
      TRANSPORTS.map((transport) => ({ mode, revision, protocol, transport })),
    ),
  );
}

/** Runs the client, which adds the server, and gives what it has seen. */
export async function seenBy(program: Program, { mode, protocol, transport }: ClientCase): Promise<unknown> {
  await using http = transport === 'HTTP' ? await HttpCli.open() : undefined;
  const front = http === undefined ? MUX : [http.url.href];
  const config = JSON.stringify({ name: 'v', command: NODE, args: [CELL_SERVER], protocol });
  const env = cleanEnvironment(program.env);
  const args = [...program.args, mode, config, ...front];
  const { stdout } = await promisify(execFile)(program.command, args, { env });
  return JSON.parse(stdout);
}

/** What a client sees that negotiated this revision. */
export function sightOf(revision: string): object {
  return {
    revision,
    tools: expect.arrayContaining(['v__count', 'v__ask']) as unknown,
    counted: '3',
    steps: [1, 2, 3],
    asked: JSON.stringify({ form: { action: 'accept', content: { name: '[v] Your name?' } } }),
  };
}
