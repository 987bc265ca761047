import { spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { chmod, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import process from 'node:process';
import { text } from 'node:stream/consumers';

import { CLI, cleanEnvironment, NODE } from './built-cli.js';
import { fixtureServer } from './fixture-server.js';

/** What a command printed, and how it ended. */
export interface Outcome {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number | null;
}

/** How a command is run. */
export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  /** The home folder when absent. */
  readonly cwd?: string;
}

/** A person with a home folder of their own, who runs the built command in it. */
export class Person implements AsyncDisposable {
  private constructor(readonly home: string) {}

  static async arrive(): Promise<Person> {
    const home = await realpath(await mkdtemp(join(tmpdir(), 'mcpmux-home-')));
    return new Person(home);
  }

  /** The config that `mcpmux init` writes. */
  get config(): string {
    return join(this.home, '.config', 'mcpmux', 'config.json');
  }

  get environment(): Readonly<Record<string, string>> {
    return {
      HOME: this.home,
      USERPROFILE: this.home,
      XDG_CONFIG_HOME: join(this.home, '.config'),
      XDG_STATE_HOME: join(this.home, '.local', 'state'),
      APPDATA: join(this.home, '.config'),
      MCPMUX_RUNTIME_DIR: join(this.home, 'run'),
    };
  }

  /** Runs `mcpmux` with these words to its end. */
  mcpmux(...words: readonly string[]): Promise<Outcome> {
    return this.run(words);
  }

  async run(
    words: readonly string[],
    { env = {}, input = '', cwd = this.home }: RunOptions = {},
  ): Promise<Outcome> {
    const child = spawn(NODE, [CLI, ...words], {
      cwd,
      env: cleanEnvironment({ ...this.environment, ...env }),
      stdio: 'pipe',
    });
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
    return { stdout, stderr, code: child.exitCode };
  }

  /** Starts `mcpmux` with these words, which goes on until it is ended. */
  start(...words: readonly string[]): Following {
    return new Following([CLI, ...words], this.home, cleanEnvironment({ ...this.environment }));
  }

  /** Starts `mcpmux` with these words, and lets the person type. */
  converse(...words: readonly string[]): Following {
    return new Following([CLI, ...words], this.home, cleanEnvironment({ ...this.environment }), 'pipe');
  }

  /** The data that a command prints with `--json`. */
  async json(...words: readonly string[]): Promise<unknown> {
    const { stdout, stderr, code } = await this.run([...words, '--json']);
    if (stdout === '') throw new Error(`no data; exit code ${code}; stderr: ${stderr}`);
    return JSON.parse(stdout);
  }

  /** Writes a file of the home folder. */
  async write(path: string, content: string | object): Promise<string> {
    const file = join(this.home, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content, undefined, 2));
    return file;
  }

  read(path: string): Promise<string> {
    return readFile(join(this.home, path), 'utf8');
  }

  /** Writes the config. */
  configure(config: string | object): Promise<string> {
    return this.write(join('.config', 'mcpmux', 'config.json'), config);
  }

  /** A PATH on which package runners start the echo server instead of a package. */
  async withRunners(...names: readonly string[]): Promise<Readonly<Record<string, string>>> {
    const { command, args } = fixtureServer('echo');
    const script = `#!/bin/sh\nexec ${[command, ...args].map((word) => `'${word}'`).join(' ')}\n`;
    for (const name of names) await chmod(await this.write(join('bin', name), script), 0o755);
    return { PATH: [join(this.home, 'bin'), process.env['PATH'] ?? ''].join(delimiter) };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // Windows keeps the folder for a moment in which a process has ended.
    await rm(this.home, { recursive: true, force: true, maxRetries: 20 });
  }
}

/** A command that goes on, and what it has printed so far. */
class Following {
  readonly ended: Promise<Outcome>;
  private stdout = '';
  private stderr = '';
  private readonly child;
  private readonly changes = new EventEmitter();

  constructor(
    words: readonly string[],
    cwd: string,
    env: Readonly<Record<string, string>>,
    stdin: 'ignore' | 'pipe' = 'ignore',
  ) {
    this.child = spawn(NODE, words, { cwd, env, stdio: [stdin, 'pipe', 'pipe'] });
    this.child.stdout?.on('data', (chunk: Buffer) => {
      this.stdout += chunk.toString();
      this.changes.emit('change');
    });
    this.child.stderr?.on('data', (chunk: Buffer) => {
      this.stderr += chunk.toString();
      this.changes.emit('change');
    });
    this.ended = once(this.child, 'close').then(() => {
      this.changes.emit('change');
      return { stdout: this.stdout, stderr: this.stderr, code: this.child.exitCode };
    });
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  /** What is on stdout so far. */
  get printed(): string {
    return this.stdout;
  }

  /** Types a line. */
  type(line: string): void {
    this.child.stdin?.write(`${line}\n`);
  }

  kill(): void {
    this.child.kill('SIGKILL');
  }

  /** Resolves when it has printed that. */
  async until(printed: string): Promise<void> {
    await this.untilHolds(() => this.stdout.includes(printed), printed);
  }

  /** Resolves when something holds of what it has printed. */
  async untilHolds(holds: () => boolean, wanted = 'what was awaited'): Promise<void> {
    while (!holds()) {
      if (this.child.exitCode !== null) throw new Error(`it ended without ${wanted}: ${this.stderr}`);
      await once(this.changes, 'change');
    }
  }

  /** Resolves with the first line on stderr that matches, without what surrounds it. */
  async reported(pattern: RegExp): Promise<string> {
    for (;;) {
      const [found] = pattern.exec(this.stderr.slice(0, this.stderr.lastIndexOf('\n') + 1)) ?? [];
      if (found !== undefined) return found;
      if (this.child.exitCode !== null) throw new Error(`it ended without that: ${this.stderr}`);
      await once(this.changes, 'change');
    }
  }
}
