import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { type Course, differences } from '@mcpmux/core/testing/course';
import { type Era, SloppyServer, WORDS } from '@mcpmux/core/testing/sloppy-server';
import { SITUATIONS } from '@mcpmux/core/testing/sloppy-situations';
import { temporaryFolder } from '@mcpmux/testing/temporary-folder';
import { describe, expect, it } from 'vitest';

import { cleanEnvironment } from '../testing/built-cli.js';
import { HttpCli } from '../testing/http-cli.js';
import { hasPython, inPython } from './install-peers.js';

const MODES: Readonly<Record<Era, string>> = { legacy: 'legacy', modern: '2026-07-28' };
/** A client that is alone and has heard nothing until then counts as one that hangs. */
const ALONE_MS = 3000;
const THROUGH_MS = 30_000;

/** What a client in Python comes to know of servers, one after the other. */
async function courses(
  era: Era,
  limitMs: number,
  servers: readonly (readonly [url: string, prefix: string])[],
): Promise<readonly Course[]> {
  const { command, args, env } = inPython('sloppy_client.py');
  const all = [...args, MODES[era], String(limitMs), JSON.stringify(servers)];
  const child = spawn(command, all, { env: cleanEnvironment(env), stdio: ['ignore', 'pipe', 'ignore'] });
  const lines: string[] = [];
  createInterface(child.stdout).on('line', (line) => lines.push(line));
  await once(child, 'close');
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the script prints it
  return lines.map((line) => JSON.parse(line) as Course);
}

const AT_URL = SITUATIONS.filter(([, , ways]) => ways?.includes('http') !== false);

describe.skipIf(!hasPython())('what works alone works through mcpmux for a client in Python', () => {
  it.each<Era>(['legacy', 'modern'])(
    'of the %s era',
    async (era) => {
      const servers = await Promise.all(
        AT_URL.map(([, change, , status]) => SloppyServer.open(era, change, status)),
      );
      const mux = { protocol: era, startTimeoutMs: 10_000, callTimeoutMs: 10_000 };
      const config = Object.fromEntries(servers.map(({ url }, index) => [`s${index}`, { url, mux }]));
      await using folder = await temporaryFolder();
      const file = join(folder.path, 'config.json');
      await writeFile(file, JSON.stringify({ mcpServers: config }));
      await using cli = await HttpCli.open({ args: ['--config', file] });
      const alone = await courses(
        era,
        ALONE_MS,
        servers.map(({ url }) => [url, '']),
      );
      const through = await courses(
        era,
        THROUGH_MS,
        servers.map((_, index) => [cli.url.href, `s${index}__`]),
      );
      const found = AT_URL.flatMap(([name], index) => {
        const [one, other] = [alone[index], through[index]];
        if (one === undefined || other === undefined) return [`${name}: no course`];
        return differences(one, { ...other, isAlive: other.listed.kind === 'works' }, [WORDS]).map(
          (difference) => `${name}: ${difference}`,
        );
      });
      expect(found).toEqual([]);
      const working = alone.filter(({ said }) => said.kind === 'works');
      expect(working.length).toBeGreaterThan(AT_URL.length / 2);
      await Promise.all(servers.map((server) => server[Symbol.asyncDispose]()));
    },
    300_000,
  );
});
