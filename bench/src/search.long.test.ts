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
const RUN_MS = 300_000;

it.runIf(process.platform === 'linux')(
  'mcpmux finds the tools of more held out tasks than each library',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'mcpmux-bench-test-'));
    try {
      const file = join(folder, 'results.json');
      await promisify(execFile)(process.execPath, [MAIN, '--sections', 'search', '--json', file], {
        timeout: RUN_MS,
      });
      const { search } = JSON.parse(await readFile(file, 'utf8')) as Report;
      expect(search?.tools).toBeGreaterThanOrEqual(300);
      const [mux, ...libraries] = search?.searchers ?? [];
      expect(libraries.length).toBeGreaterThanOrEqual(3);
      for (const { heldOut } of libraries)
        for (const [at, recall] of heldOut.entries()) expect(mux?.heldOut[at]).toBeGreaterThan(recall);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
  RUN_MS,
);
