import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { GatewayReport } from './gateways/gateway-report.js';
import { packageFile } from './program-path.js';
import type { Report } from './report/report.js';

const MAIN = fileURLToPath(new URL('../dist/main.js', import.meta.url));
const RUN_MS = 300_000;

describe.runIf(process.platform === 'linux')('a smoke run with gateways of the command line', () => {
  let folder = '';
  let markdown = '';
  let report: GatewayReport;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mcpmux-bench-test-'));
    const node = `"${process.execPath}"`;
    const mux = `${node} "${packageFile('@mcpmux/cli', 'bin/mcpmux.cjs')}" serve`;
    const file = join(folder, 'results.json');
    const gateways = [
      ['--target', `by calls=${mux} --no-config`],
      ['--target', `broken@1.2=${node} -e "console.error('no such file'); process.exit(3)" {config}`],
      ['--url', `over http=http://127.0.0.1:{port}/mcp ${mux} --http {port} --config {config}`],
    ];
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [MAIN, '--smoke', '--payloads', '100b,10k', '--json', file, ...gateways.flat()],
      { env: { ...process.env, TMPDIR: folder }, timeout: RUN_MS },
    );
    markdown = stdout;
    ({ gateways: report } = JSON.parse(await readFile(file, 'utf8')) as Report & { gateways: GatewayReport });
  }, RUN_MS);

  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('calls one server through each of them, with as many in flight as it is asked for', () => {
    const names = ['byte-pipe', 'mcpmux', 'mcpmux --shared', 'mcpmux --http', 'SDK v1 proxy', 'SDK v2 proxy'];
    const expected = [...names, 'by calls', 'over http'].flatMap((gateway) =>
      ['100b', '10k'].flatMap((payload) => [1, 4].map((inFlight) => `${gateway} ${payload} ${inFlight}`)),
    );
    const measured = report.calls.map(
      ({ gateway, payload, inFlight }) => `${gateway} ${payload} ${inFlight}`,
    );
    expect(measured.toSorted()).toEqual(expected.toSorted());
    for (const { rounds } of report.calls) expect(rounds[0]?.cpuMicrosPerCall).toBeGreaterThan(0);
  });

  it('starts those of many servers, and changes those that can be changed', () => {
    const many = ['mcpmux', 'mcpmux --shared', 'mcpmux --http', 'by calls', 'over http'];
    expect(report.starts.map(({ gateway }) => gateway)).toEqual(many);
    // what an agent may add over HTTP, the policy decides
    expect(report.changes.map(({ gateway }) => gateway)).toEqual(many.slice(0, -1));
    expect(report.idle.map(({ gateway }) => gateway)).toEqual(many);
  });

  it('counts the processes of all windows and of their servers', () => {
    const counts = Object.fromEntries(
      report.windows.map(({ gateway, serverProcesses }) => [gateway, serverProcesses]),
    );
    expect(counts).toEqual({
      mcpmux: 4,
      'mcpmux --shared': 2,
      'mcpmux --http': 2,
      'by calls': 4,
      'over http': 2,
    });
    for (const { gatewayBytes, allBytes } of report.windows) expect(allBytes).toBeGreaterThan(gatewayBytes);
  });

  it('leaves out a gateway that ends, with its last words', () => {
    const broken = report.leftOut.filter(({ gateway }) => gateway === 'broken');
    expect(broken.map(({ scenario }) => scenario)).toEqual(['calls', 'start', 'changes', 'windows', 'idle']);
    expect(markdown).toContain('- broken, calls: no such file');
  });

  it('leaves no file', async () => {
    expect(await readdir(folder)).toEqual(['results.json']);
  });
});
