import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import process from 'node:process';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';

import { cleanEnvironment } from './built-cli.js';
import { pack, run } from './pack.js';
import type { Outcome, Person } from './person.js';
import { writeStandIns } from './stand-ins.js';
import { suggestions } from './suggestions.js';
import { plain, Terminal } from './terminal.js';

const LIMIT_MS = 2000;
const STARTED_WITHIN_MS = 60_000;
/** The limit in starts of Node.js, of which a quiet machine makes one in 40 ms: a busy machine gets more time. */
const LIMIT_STARTS = 50;

/** A command that goes on. */
interface Started {
  readonly found: string;
  readonly ended: Promise<number | null>;
  kill(): void;
}

/** Somebody who has installed the packed command into a folder of their own, and times what it does. */
export class Newcomer {
  /** The commands that took too long, as far as they start no server. */
  readonly slow: string[] = [];
  /** Suggested commands that failed, with what they printed. */
  readonly misled: string[] = [];
  /** The suggested commands, in the order in which they were run. */
  readonly followed = new Set<string>();

  private constructor(
    readonly person: Person,
    readonly environment: Readonly<Record<string, string>>,
  ) {}

  /** Packs the command and installs it without a network. */
  static async of(person: Person, variables: Readonly<Record<string, string>> = {}): Promise<Newcomer> {
    const [archives, prefix] = [join(person.home, 'archives'), join(person.home, 'npm')];
    await mkdir(archives);
    // one after the other: the first may fetch pnpm
    for (const name of ['cli', 'test-servers']) await pack(name, archives);
    const packed = (await readdir(archives)).map((file) => join(archives, file));
    const quietly = ['--offline', '--omit=optional', '--no-audit', '--no-fund'];
    await run('npm', ['install', '--global', '--prefix', prefix, ...quietly, ...packed], person.home);
    // the command is not on a registry: clients that start it with npx find it here
    await writeStandIns(person);
    const PATH = [join(person.home, 'bin'), join(prefix, 'bin'), process.env['PATH'] ?? ''].join(delimiter);
    // CI would turn the questions off
    const { CI: _ci, ...environment } = cleanEnvironment({ ...person.environment, ...variables, PATH });
    return new Newcomer(person, environment);
  }

  /** Runs a command line, and then every command that it suggests. */
  async does(line: string, startsServers = false): Promise<Outcome> {
    const outcome = await this.runs(line, startsServers);
    await this.follows(line, outcome.stdout + outcome.stderr);
    return outcome;
  }

  /** Runs a command on a terminal, and answers each question in turn. */
  async answers(
    line: string,
    answers: readonly (readonly [question: string, key: string])[],
    startsServers = false,
  ): Promise<string> {
    const from = performance.now();
    const options = { cwd: this.person.home, env: this.environment };
    await using terminal = new Terminal(line.split(' '), options);
    for (const [question, key] of answers) {
      await terminal.until(question);
      terminal.type(key);
    }
    const { code, text: seen } = await terminal.end();
    if (!startsServers) await this.timed(line, performance.now() - from);
    if (code !== 0) throw new Error(`${line} ended with ${code}:\n${seen}`);
    await this.follows(line, seen);
    return plain(seen);
  }

  /** Runs a command line alone. */
  async runs(line: string, startsServers = false): Promise<Outcome> {
    const from = performance.now();
    const child = spawn('/bin/sh', ['-c', line], {
      cwd: this.person.home,
      env: this.environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
    if (!startsServers) await this.timed(line, performance.now() - from);
    return { stdout, stderr, code: child.exitCode };
  }

  /** Runs a command line that goes on until a pattern is printed, and returns the match. The caller ends it. */
  async starts(line: string, pattern: RegExp): Promise<Started> {
    const child = spawn('/bin/sh', ['-c', `exec ${line}`], {
      cwd: this.person.home,
      env: this.environment,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    const ended = once(child, 'exit').then(([code]) => code as number | null);
    const found = await new Promise<string>((resolve, reject) => {
      let printed = '';
      const late = setTimeout(() => child.kill(), STARTED_WITHIN_MS);
      const look = (chunk: Buffer): void => {
        printed += chunk.toString();
        const [match] = pattern.exec(printed) ?? [];
        if (match === undefined) return;
        clearTimeout(late);
        resolve(match);
      };
      child.stdout.on('data', look);
      child.stderr.on('data', look);
      void ended.then((code) => reject(new Error(`${line} ended with ${code}:\n${printed}`)));
    });
    const kill = (): void => void child.kill();
    return { found, ended, kill };
  }

  private async timed(line: string, ms: number): Promise<void> {
    if (ms > LIMIT_MS && ms > LIMIT_STARTS * (await startOfNode()))
      this.slow.push(`${line}: ${Math.round(ms)} ms`);
  }

  private async follows(line: string, printed: string): Promise<void> {
    for (const suggested of suggestions(printed)) {
      if (this.followed.has(suggested)) continue;
      this.followed.add(suggested);
      const { code, stdout, stderr } = await this.does(suggested, true);
      if (code !== 0)
        this.misled.push(`${line}\n  suggested ${suggested}, which ended with ${code}:\n${stdout}${stderr}`);
    }
  }
}

async function startOfNode(): Promise<number> {
  const from = performance.now();
  await promisify(execFile)(process.execPath, ['-e', '0']);
  return performance.now() - from;
}
