import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { chmodSync, chownSync, lstatSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

import { CLI, cleanEnvironment, NODE } from './built-cli.js';
import type { Outcome } from './person.js';
import { RawCli, type RawCliOptions } from './raw-cli.js';

/** Numbers of users that no machine has: the system needs no entry for a number. Tests at the same time have others. */
const FIRST_USER = 61_184;
const USERS = 4000;
/** The folder that all users of a machine have: the one in TMPDIR may be closed to others. */
const TEMPORARY = '/tmp';

/** A user of this machine with a home folder. Only root can become another user. */
export class MachineUser implements Disposable {
  readonly home: string;

  private constructor(readonly id: number) {
    this.home = mkdtempSync(join(TEMPORARY, 'mcpmux-user-'));
    chownSync(this.home, id, id);
  }

  static arrive(): MachineUser {
    return new MachineUser(FIRST_USER + randomInt(USERS));
  }

  /** Where the sockets of a user are who has no folder at run time. */
  get socketFolder(): string {
    return join(TEMPORARY, `mcpmux-${this.id}`);
  }

  private get variables(): Readonly<Record<string, string>> {
    const folders = {
      HOME: this.home,
      XDG_CONFIG_HOME: join(this.home, '.config'),
      XDG_STATE_HOME: this.home,
      TMPDIR: TEMPORARY,
    };
    return { ...folders, XDG_RUNTIME_DIR: '', MCPMUX_RUNTIME_DIR: '' };
  }

  /** Writes a file that this user owns. */
  write(path: string, content: string | object, mode = 0o600): string {
    const file = join(this.home, path);
    const text = typeof content === 'string' ? content : JSON.stringify(content);
    writeFileSync(file, text, { mode });
    chownSync(file, this.id, this.id);
    return file;
  }

  /** Makes a folder that this user owns. */
  folder(path: string, mode: number): void {
    mkdirSync(path, { mode });
    chownSync(path, this.id, this.id);
  }

  /** Starts the built command as this user. */
  mcpmux({ args = ['--log-level', 'debug'], cwd = this.home }: Pick<RawCliOptions, 'args' | 'cwd'>): RawCli {
    return new RawCli({ args, env: this.variables, cwd, through: this.through });
  }

  /** Runs a command of the built program as this user, to its end. */
  command(...words: readonly string[]): Omit<Outcome, 'stdout'> {
    const [command, ...rest] = this.through;
    const options = { env: cleanEnvironment(this.variables), cwd: '/', encoding: 'utf8' } as const;
    const { stderr, status } = spawnSync(String(command), [...rest, NODE, CLI, ...words], options);
    return { stderr, code: status };
  }

  /** Runs a program of JavaScript as this user, and gives the JSON that it prints. */
  run(program: string, ...args: readonly string[]): unknown {
    const [command, ...rest] = this.through;
    const all = [...rest, NODE, '-e', program, ...args];
    const options = { env: cleanEnvironment({}), cwd: this.home, encoding: 'utf8' } as const;
    const { stdout, stderr } = spawnSync(String(command), all, options);
    if (stdout === '') throw new Error(stderr);
    return JSON.parse(stdout);
  }

  /** Takes the home folder away from this user, who can read it. */
  lockHome(): void {
    chownSync(this.home, 0, 0);
    chmodSync(this.home, 0o555);
  }

  [Symbol.dispose](): void {
    rmSync(this.home, { recursive: true, force: true });
    // A link is removed, and not its target.
    if (lstatSync(this.socketFolder, { throwIfNoEntry: false }) !== undefined)
      rmSync(this.socketFolder, { recursive: true, force: true });
  }

  private get through(): readonly string[] {
    return throughUser(this.id);
  }
}

function throughUser(id: number): readonly string[] {
  return ['setpriv', `--reuid=${id}`, `--regid=${id}`, '--clear-groups'];
}

/** Why tests cannot become other users here; empty where they can. */
export const NO_USERS = reason();

function reason(): string {
  if (process.getuid?.() !== 0) return ' (skipped: only root can become another user)';
  const [command = '', ...rest] = throughUser(FIRST_USER);
  const { status } = spawnSync(command, [...rest, NODE, CLI, '--version'], { env: cleanEnvironment({}) });
  return status === 0 ? '' : ' (skipped: there is no setpriv, or other users cannot read this clone)';
}
