import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';

import { expect, it } from 'vitest';

import { CLI, cleanEnvironment, NODE } from './testing/built-cli.js';
import { Person } from './testing/person.js';

/** Commands that start no server and reach no network. */
const COMMANDS = [
  '--version',
  '--help',
  'list',
  'get echo',
  'add x -- node',
  'disable echo',
  'enable echo',
  'remove x',
  'export',
  'import',
  'install cursor --print',
  'uninstall --yes',
  'search',
  'status',
  'stop',
  'reload',
  'logs',
  'config path',
  'config validate',
  'config schema',
  'completion bash',
  'lsit',
];
/** On the machine of the goal Node.js alone takes 45 ms, and a command up to 155 ms more; the rest is noise. */
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
    const cost = async (args: readonly string[]): Promise<number> => {
      const file = join(person.home, 'cpu');
      const env = cleanEnvironment({ ...person.environment, CPU_FILE: file });
      const child = spawn(NODE, ['--require', probe, ...args], { cwd: person.home, env, stdio: 'ignore' });
      await once(child, 'exit');
      return Number(await readFile(file, 'utf8'));
    };
    const alone: number[] = [];
    const costs = new Map<string, number[]>(COMMANDS.map((line) => [line, []]));
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const line of COMMANDS) {
        alone.push(await cost(['-e', '0']));
        costs.get(line)?.push(await cost([CLI, ...line.split(' ')]));
      }
    }
    const share = (all: readonly number[]): number => Math.round((10 * median(all)) / median(alone)) / 10;
    const starts = [...costs].map(([line, all]) => [line, share(all)] as const);
    expect(starts.filter(([, count]) => count > MOST_STARTS)).toEqual([]);
  },
);

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}
