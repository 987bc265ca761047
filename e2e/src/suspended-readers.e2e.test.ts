import { execFileSync } from 'node:child_process';
import process from 'node:process';

import { describe, expect, it } from 'vitest';

import { memoryOf } from './chaos/process-files.js';
import { CLI, NODE } from './testing/built-cli.js';
import { fixtureServer } from './testing/fixture-server.js';
import { Person } from './testing/person.js';
import { RawCli } from './testing/raw-cli.js';
import { hasTerminals, Terminal } from './testing/terminal.js';

const WARM_UP = 20_000;
const CALLS = 500_000;
/** The calls take 20 seconds on a machine that is busy. */
const TIMEOUT_MS = 240_000;
const AT_ONCE = 500;
/** Two events a call, of which a reader that is suspended gets those that fit into its socket and one buffer. */
const MISSED_AT_LEAST = CALLS;
/** What so many calls leave in memory with no reader at all differs by as much. */
const MEGABYTES = 20;

/** Calls the server so often, and keeps nothing of the answers. */
async function callOften(mcpmux: RawCli, calls: number): Promise<void> {
  for (let sent = 0; sent < calls; sent += AT_ONCE) {
    const params = { name: 'hold__release', arguments: { key: 'nobody' } };
    const lines = Array.from({ length: AT_ONCE }, (_, index) =>
      JSON.stringify({ jsonrpc: '2.0', id: index, method: 'tools/call', params }),
    );
    mcpmux.messages.length = 0;
    mcpmux.lines.length = 0;
    mcpmux.write(lines.join('\n'));
    await mcpmux.until(() => mcpmux.lines.length >= AT_ONCE || undefined);
  }
}

/** Megabytes by which the process grows while its reader does not read, and its queue is full. */
async function grownBy(mcpmux: RawCli, reader: readonly number[]): Promise<number> {
  const pid = mcpmux.child.pid ?? 0;
  await callOften(mcpmux, WARM_UP);
  for (const each of reader) process.kill(each, 'SIGSTOP');
  // Fills the queue of the reader, which is bounded: 4 MiB of events.
  await callOften(mcpmux, WARM_UP);
  const before = memoryOf(pid).now;
  await callOften(mcpmux, CALLS);
  const after = memoryOf(pid).now;
  for (const each of reader) process.kill(each, 'SIGCONT');
  return after - before;
}

async function serving(person: Person): Promise<RawCli> {
  await person.configure({ mcpServers: { hold: fixtureServer('hold-calls') } });
  const mcpmux = new RawCli({ args: ['--log-level', 'info'], env: person.environment, cwd: person.home });
  await mcpmux.initialize();
  await mcpmux.until(() => mcpmux.stderr.includes('[hold] server running') || undefined);
  return mcpmux;
}

/** The process and its descendants, the oldest first. */
function withDescendants(pid: number): readonly number[] {
  const table = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
  const rows = table.map((row) => row.trim().split(/\s+/).map(Number));
  const children = rows.filter(([, parent]) => parent === pid).map(([child = 0]) => child);
  return [pid, ...children.flatMap(withDescendants)];
}

function numbersIn(text: string, pattern: RegExp): readonly number[] {
  return [...text.matchAll(pattern)].map(([, digits = '']) => Number(digits.replaceAll(',', '')));
}

describe.skipIf(process.platform !== 'linux')('a reader of events that is suspended', () => {
  it(
    'C15: mcpmux logs -f costs no memory, and is told how many events it has missed',
    { timeout: TIMEOUT_MS },
    async () => {
      await using person = await Person.arrive();
      await using mcpmux = await serving(person);
      const following = person.start('logs', '--follow');
      await following.until('server running');
      expect(await grownBy(mcpmux, [following.pid])).toBeLessThan(MEGABYTES);
      const missed = (): readonly number[] => numbersIn(following.printed, /([\d,]+) events were missed/g);
      await following.untilHolds(() => missed().some((count) => count > MISSED_AT_LEAST));
      following.kill();
      await following.ended;
    },
  );

  it.skipIf(!hasTerminals)('C15: so does mcpmux top', { timeout: TIMEOUT_MS }, async () => {
    await using person = await Person.arrive();
    await using mcpmux = await serving(person);
    const { environment: env, home: cwd } = person;
    await using terminal = new Terminal([NODE, CLI, 'top'], { cwd, env, columns: 200 });
    await terminal.until(/▸ ●.*hold/);
    const [script = 0, ...programs] = withDescendants(terminal.pid);
    expect(await grownBy(mcpmux, programs)).toBeLessThan(MEGABYTES);
    // The program that makes the terminal has stopped with its child.
    process.kill(script, 'SIGCONT');
    const missed = (): number => Math.max(0, ...numbersIn(terminal.screen, /(\d+) events missed/g));
    await terminal.untilHolds(() => missed() > MISSED_AT_LEAST);
    terminal.type('q');
    expect((await terminal.end()).code).toBe(0);
  });
});
