import { spawn, spawnSync, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { EventEmitter, once } from 'node:events';

import { cleanEnvironment } from './built-cli.js';

/** How a program on a terminal is started. */
export interface TerminalOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly columns?: number;
  readonly rows?: number;
}

/** Whether util-linux is here, whose `script` makes pseudo-terminals. */
export const hasTerminals =
  spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout?.includes('util-linux') ?? false;

/** A program that has a pseudo-terminal for stdin, stdout and stderr. */
export class Terminal implements AsyncDisposable {
  /** Everything shown so far, with what moves the cursor. */
  screen = '';
  private readonly child: ChildProcessWithoutNullStreams;
  private readonly changes = new EventEmitter().setMaxListeners(0);
  private readonly ended: Promise<number | null>;

  constructor(words: readonly string[], { cwd, env, columns = 100, rows = 30 }: TerminalOptions) {
    const line = `stty cols ${columns} rows ${rows}; exec ${words.map(quoted).join(' ')}`;
    const { CI: _ci, NO_COLOR: _no, FORCE_COLOR: _force, ...inherited } = cleanEnvironment();
    this.child = spawn('script', ['--quiet', '--return', '--flush', '--command', line, '/dev/null'], {
      cwd,
      env: { ...inherited, TERM: 'xterm-256color', SHELL: '/bin/sh', ...env },
      stdio: 'pipe',
    });
    this.child.stdin.on('error', () => undefined);
    this.child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      this.screen += chunk;
      this.changes.emit('change');
    });
    this.ended = once(this.child, 'close').then(() => {
      this.changes.emit('change');
      return this.child.exitCode;
    });
  }

  /** The program that makes the terminal. */
  get pid(): number {
    return this.child.pid ?? 0;
  }

  type(text: string): void {
    this.child.stdin.write(text);
  }

  /** Resolves when something is on the screen; `from` leaves out what came before that offset. */
  async until(text: string | RegExp, from = 0): Promise<void> {
    await this.untilHolds(
      () =>
        typeof text === 'string' ? this.screen.includes(text, from) : text.test(this.screen.slice(from)),
      String(text),
    );
  }

  /** Resolves when something holds of the screen. */
  async untilHolds(holds: () => boolean, wanted = 'what was awaited'): Promise<void> {
    while (!holds()) {
      if (this.child.exitCode !== null) throw new Error(`it ended without ${wanted}:\n${this.screen}`);
      await once(this.changes, 'change');
    }
  }

  /** Resolves to the exit code and what a person has seen: without colours and other control sequences. */
  async end(): Promise<{ readonly code: number | null; readonly text: string }> {
    const code = await this.ended;
    return { code, text: plain(this.screen) };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.child.kill('SIGKILL');
    await this.ended;
  }
}

// oxlint-disable-next-line no-control-regex -- a line that was drawn several times, then cleared
const DRAWN_OVER = /\r[^\n]*\u001B\[K/g;
// oxlint-disable-next-line no-control-regex -- what moves the cursor or changes the colour
const CONTROL = /\u001B\[[\d;?]*[A-Za-z]/g;

/** Without control sequences, and with what was drawn over gone. */
export function plain(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll(DRAWN_OVER, '').replaceAll(CONTROL, '');
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
