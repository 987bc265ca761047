import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';

import { expect, it } from 'vitest';

import { CLI, cleanEnvironment, NODE } from './testing/built-cli.js';
import { median } from './testing/median.js';
import { Person } from './testing/person.js';

/** Commands that start no server and reach no network, with their exit codes. */
const COMMANDS: readonly (readonly [line: string, code: number])[] = [
  ['--version', 0],
  ['--help', 0],
  ['list', 0],
  ['get echo', 0],
  ['add x --force -- node', 0],
  ['disable echo', 0],
  ['enable echo', 0],
  ['remove x', 0],
  ['export', 0],
  ['import', 6],
  ['install cursor --print', 0],
  ['uninstall --yes', 0],
  ['search', 2],
  ['status', 0],
  ['stop', 4],
  ['reload', 4],
  ['logs', 4],
  ['config path', 0],
  ['config validate', 0],
  ['config schema', 0],
  ['completion bash', 0],
  ['lsit', 2],
];
/** The goal is 150 ms above Node.js alone, which takes 45 ms on a quiet machine: 4.4 starts. The rest is noise. */
const MOST_STARTS = 6.5;
const ROUNDS = 5;
/** Writes the CPU time of a process at its end, in microseconds. */
const PROBE = `process.on('exit', () => {
  const { user, system } = process.cpuUsage();
  require('node:fs').writeFileSync(process.env.CPU_FILE, String(user + system));
});`;

it(
  'a command that starts nothing costs no more than a few starts of Node.js',
  { timeout: 300_000 },
  async () => {
    await using person = await Person.arrive();
    await person.configure({ mcpServers: { echo: { command: process.execPath } } });
    const probe = await person.write('probe.cjs', PROBE);
    const cost = async (args: readonly string[], code = 0): Promise<number> => {
      const file = join(person.home, 'cpu');
      const env = cleanEnvironment({ ...person.environment, CPU_FILE: file });
      const child = spawn(NODE, ['--require', probe, ...args], { cwd: person.home, env, stdio: 'ignore' });
      await once(child, 'exit');
      expect([args.join(' '), child.exitCode]).toEqual([args.join(' '), code]);
      const spent = Number(await readFile(file, 'utf8'));
      await rm(file);
      return spent;
    };
    const alone: number[] = [];
    const costs = new Map<string, number[]>(COMMANDS.map(([line]) => [line, []]));
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const [line, code] of COMMANDS) {
        alone.push(await cost(['-e', '0']));
        costs.get(line)?.push(await cost([CLI, ...line.split(' ')], code));
      }
    }
    const share = (all: readonly number[]): number => Math.round((10 * median(all)) / median(alone)) / 10;
    const starts = [...costs].map(([line, all]) => [line, share(all)] as const);
    expect(starts.filter(([, count]) => count > MOST_STARTS)).toEqual([]);
  },
);
