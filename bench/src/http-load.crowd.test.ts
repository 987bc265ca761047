import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { expect, it } from 'vitest';

import type { Report } from './report/report.js';

const MAIN = fileURLToPath(new URL('../dist/main.js', import.meta.url));

// it reads /proc, as everything here does
it.runIf(process.platform === 'linux')(
  'many clients over HTTP, with a session or without one, have all their answers, and leave no session and no descriptor open',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'mcpmux-bench-test-'));
    try {
      const file = join(folder, 'results.json');
      const flags = ['--smoke', '--sections', 'http', '--sessions', '20', '--json', file];
      const { stdout } = await promisify(execFile)(process.execPath, [MAIN, ...flags], { timeout: 240_000 });
      expect(stdout).toContain('## Many clients over HTTP');
      const { http, forwarding } = JSON.parse(await readFile(file, 'utf8')) as Report;
      expect(forwarding).toBeNull();
      expect(http?.left).toEqual({ sessions: 0, descriptors: 0 });
      expect(http?.idleSessionBytes).toBeGreaterThan(0);
      expect(
        http?.cells.map(({ era, payload, sessions, inFlight }) => [era, payload, sessions, inFlight]),
      ).toEqual([
        ['legacy', '100b', 20, 1],
        ['legacy', '100b', 2, 16],
        ['legacy', 'structured', 20, 1],
        ['legacy', 'structured', 2, 16],
        ['modern', '100b', 20, 1],
        ['modern', '100b', 2, 16],
        ['modern', 'structured', 20, 1],
        ['modern', 'structured', 2, 16],
      ]);
      for (const { relay, fronts, sessions } of http?.cells ?? []) {
        const [mcpmux, peer] = fronts;
        expect([mcpmux?.front, peer?.front]).toEqual(['mcpmux', 'mcp-proxy']);
        expect([relay.length, mcpmux?.rounds.length, peer?.rounds.length]).toEqual([2, 2, 1]);
        for (const { calls } of [...relay, ...(mcpmux?.rounds ?? [])])
          expect(calls).toBeGreaterThanOrEqual(sessions);
      }
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
  240_000,
);
