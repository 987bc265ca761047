import { execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { plannedCells } from './forwarding/plan.js';
import { parseOptions } from './options.js';
import type { Report } from './report/report.js';

const MAIN = fileURLToPath(new URL('../dist/main.js', import.meta.url));
const RUN_MS = 300_000;

/** An environment variable by which the programs that a run has started are found. */
function marker(): [name: string, value: string] {
  return ['MCPMUX_BENCH_TEST', randomUUID()];
}

/** The command lines of the processes that carry this marker. */
async function carriers([name, value]: readonly [string, string]): Promise<string[]> {
  const pids = (await readdir('/proc')).filter((entry) => /^\d+$/.test(entry));
  const found = await Promise.all(
    pids.map(async (pid) => {
      const environment = await readFile(`/proc/${pid}/environ`, 'latin1').catch(() => '');
      if (!environment.split('\0').includes(`${name}=${value}`)) return [];
      return [(await readFile(`/proc/${pid}/cmdline`, 'latin1').catch(() => '')).replaceAll('\0', ' ')];
    }),
  );
  return found.flat();
}

// it reads /proc, as everything here does
describe.runIf(process.platform === 'linux')('a smoke run', () => {
  const expected = parseOptions(['--smoke']);
  const mark = marker();
  let folder = '';
  let markdown = '';
  let report: Report;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mcpmux-bench-test-'));
    const [name, value] = mark;
    const file = join(folder, 'results.json');
    const run = promisify(execFile);
    const config = join(folder, 'config.json');
    const user = { command: 'touch', args: [join(folder, 'a server of the user was started')] };
    await writeFile(config, JSON.stringify({ mcpServers: { user } }));
    const { stdout } = await run(process.execPath, [MAIN, '--smoke', '--json', file], {
      env: { ...process.env, [name]: value, TMPDIR: folder, MCPMUX_CONFIG: config },
      timeout: RUN_MS,
    });
    markdown = stdout;
    report = JSON.parse(await readFile(file, 'utf8')) as Report;
  }, RUN_MS);

  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('has every call of every load of every target answered once, with its id and the right content', () => {
    // the load generator fails a target otherwise
    expect(report.forwarding?.failures).toEqual([]);
    const measured = report.forwarding?.cells.map(({ target, payload, inFlight }) => ({
      target,
      payload,
      inFlight,
    }));
    expect(measured).toEqual(plannedCells(expected.forwarding));
    expect(report.forwarding?.skipped).toEqual([]);
  });

  it('starts none of the servers that the user has configured', async () => {
    expect(await readdir(folder)).not.toContain('a server of the user was started');
  });

  it('has as many calls in each load as it was told, and figures for all of them', () => {
    for (const { target, inFlight, samples, median, ratio } of report.forwarding?.cells ?? []) {
      expect(samples).toHaveLength(1);
      const [sample] = samples;
      expect(sample?.calls).toBe(inFlight * expected.forwarding.window.minCallsPerPlace);
      expect(sample?.p99Ms).toBeGreaterThanOrEqual(sample?.p50Ms ?? Number.NaN);
      expect(sample?.cyclesPerTurn).toBeGreaterThan(1);
      expect(median.callsPerSecond).toBeGreaterThan(0);
      expect(median.rssBytes === null).toBe(target === 'direct');
      expect(median.cpuMicrosPerCall === null).toBe(target === 'direct');
      expect(median.cpuMicrosPerCall ?? Infinity).toBeGreaterThan(0);
      expect(ratio === null).toBe(target === 'byte-pipe');
    }
  });

  it('has the times of the start, the size of an install, every curve and what an oversized message costs', () => {
    expect(report.startUp?.mcpmux.samples).toHaveLength(expected.startUpRuns);
    expect(report.startUp?.node.median).toBeGreaterThan(0);
    expect(report.install?.packages).toBeGreaterThanOrEqual(1);
    expect(report.install?.installedBytes).toBeGreaterThan(report.install?.tarballBytes ?? Number.NaN);
    const { servers, tools, inFlight, calls } = expected.scale;
    const sizes = Object.fromEntries(
      (report.scale ?? []).map(({ name, points }) => [name, points.map(({ size }) => size)]),
    );
    expect(sizes).toEqual({ servers, tools, 'in-flight': inFlight, calls });
    expect(report.oversized?.slowestMeanwhileMs).toBeGreaterThan(0);
  });

  it('prints a table for each payload and says that the numbers mean nothing', () => {
    for (const heading of ['### 100 B', '### 10 KB', '### 1 MB', '### structured 100 KB', '## Scale']) {
      expect(markdown).toContain(heading);
    }
    expect(markdown).toContain('its numbers mean nothing');
  });

  it('leaves no process and no file', async () => {
    expect(await carriers(mark)).toEqual([]);
    expect(await readdir(folder)).toEqual(['config.json', 'results.json']);
  });
});

describe.runIf(process.platform === 'linux')('a run that is terminated', () => {
  it(
    'leaves no process',
    async () => {
      const mark = marker();
      const [name, value] = mark;
      const folder = await mkdtemp(join(tmpdir(), 'mcpmux-bench-test-'));
      const run = spawn(process.execPath, [MAIN, '--sections', 'forwarding', '--payloads', '100b'], {
        env: { ...process.env, [name]: value, TMPDIR: folder },
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      try {
        let progress = '';
        // it names the payload when all targets have started
        for await (const chunk of run.stderr) {
          progress += String(chunk);
          if (progress.includes('100 B')) break;
        }
        expect((await carriers(mark)).length).toBeGreaterThan(8);
        run.kill('SIGTERM');
        await once(run, 'exit');
        expect(run.exitCode).toBe(143);
        await vi.waitFor(async () => expect(await carriers(mark)).toEqual([]), { timeout: 30_000 });
      } finally {
        run.kill('SIGKILL');
        await rm(folder, { recursive: true, force: true });
      }
    },
    RUN_MS,
  );
});
