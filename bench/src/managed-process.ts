import { spawn, type ChildProcess, type ChildProcessWithoutNullStreams } from 'node:child_process';
import process from 'node:process';

const STDERR_KEPT = 4000;
const GRACE_MS = 5000;

/** How to run a program. */
export interface CommandLine {
  readonly command: string;
  readonly args: readonly string[];
}

/** A program of this Node.js, with its arguments. */
export function nodeCommand(...args: readonly string[]): CommandLine {
  return { command: process.execPath, args };
}

/** A folder without a config. */
const NO_CONFIGS = '/nonexistent';

/**
 * The environment of everything that is measured. Node.js 20 parses extra certificates at every start: 0.1 s. And mcpmux finds
 * none of the configs of this machine, whose servers it would start; a flag for that would be parsed by code that no
 * client's mcpmux loads.
 */
export function benchEnvironment(own: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  const {
    NODE_EXTRA_CA_CERTS: _,
    MCPMUX_CONFIG: __,
    MCPMUX_PROJECT_CONFIG: ___,
    ...environment
  } = process.env;
  return { ...environment, XDG_CONFIG_HOME: NO_CONFIGS, ...own };
}

// what does not read its stdin would not notice that this process has gone
const living = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of living) child.kill('SIGKILL');
});

/** A child process that does not outlive its owner and keeps its last words. */
export class ManagedProcess {
  readonly child: ChildProcessWithoutNullStreams;
  /** Resolves when the process has gone. */
  readonly exited: Promise<void>;
  private lastWords = '';

  constructor(
    readonly commandLine: CommandLine,
    env: NodeJS.ProcessEnv = benchEnvironment(),
  ) {
    this.child = spawn(commandLine.command, [...commandLine.args], { env, stdio: 'pipe' });
    living.add(this.child);
    this.exited = new Promise((resolve) => {
      this.child.once('exit', () => resolve());
      this.child.once('error', () => resolve());
    });
    void this.exited.then(() => living.delete(this.child));
    // a program that has gone is noticed by its exit
    this.child.stdin.on('error', () => {});
    this.child.stderr.on('data', (chunk: Buffer) => {
      this.lastWords = (this.lastWords + chunk.toString()).slice(-STDERR_KEPT);
    });
  }

  /** The id of the process; 0 when it could not be started. */
  get pid(): number {
    return this.child.pid ?? 0;
  }

  get hasExited(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null || this.pid === 0;
  }

  /** An error that says what the process said last. */
  failure(what: string): Error {
    const { command, args } = this.commandLine;
    const { exitCode, signalCode } = this.child;
    const end = signalCode ?? exitCode;
    return new Error(
      `${[command, ...args].join(' ')} ${what}${end === null ? '' : ` (${end})`}\n${this.lastWords}`.trim(),
    );
  }

  /** Closes stdin, or asks by signal, then kills. */
  async stop(how: 'end stdin' | 'SIGTERM'): Promise<void> {
    const { child } = this;
    if (how === 'SIGTERM') child.kill('SIGTERM');
    else child.stdin.end();
    const killer = setTimeout(() => child.kill('SIGKILL'), GRACE_MS);
    await this.exited;
    clearTimeout(killer);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop('end stdin');
  }
}

/** For a process that does not read its stdin, and so would not see its end. */
export function stoppedBySignal(program: ManagedProcess): AsyncDisposable {
  return { [Symbol.asyncDispose]: () => program.stop('SIGTERM') };
}
