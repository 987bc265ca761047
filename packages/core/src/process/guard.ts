import { spawn, type ChildProcess } from 'node:child_process';
import { Socket } from 'node:net';

import type { Logger } from '@mcpmux/kit';

import { GUARD_SCRIPT } from './guard-script.js';

/**
 * Ends our process groups when mcpmux cannot: after SIGKILL, the out-of-memory killer, a crash.
 *
 * A shell in a session of its own that holds a pipe from us; the kernel closes the pipe whatever we die of. It is
 * started with the first server. On Windows there is none, and nothing ends the servers of a killed mcpmux but the
 * end of their stdin.
 */
export class ProcessGuard {
  private shell: ChildProcess | undefined;

  constructor(
    private readonly instanceId: string,
    private readonly logger: Logger,
    private readonly platform: NodeJS.Platform = process.platform,
  ) {}

  /** From now on the group led by `pgid` does not outlive us. */
  register(pgid: number): void {
    this.shell ??= this.open();
    this.write(`+${pgid}\n`);
  }

  /** The group is gone. Its id may soon be another's, so this must be said at once. */
  release(pgid: number): void {
    this.write(`-${pgid}\n`);
  }

  /** Lets the guard go. Call it when no group is left. */
  close(): void {
    this.shell?.stdin?.end();
    this.shell = undefined;
  }

  private write(line: string): void {
    if (this.shell?.stdin?.writable) this.shell.stdin.write(line);
  }

  private open(): ChildProcess | undefined {
    if (this.platform === 'win32') return undefined;
    const shell = spawn('/bin/sh', ['-c', GUARD_SCRIPT, 'mcpmux-guard', this.instanceId], {
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
      env: { PATH: '/usr/bin:/bin' },
      cwd: '/',
    });
    const lost = (why: string): void => {
      if (this.shell === shell) this.logger.log('warn', `the process guard has ended (${why})`);
    };
    shell.on('error', (error) => lost(error.message));
    shell.on('exit', (code, signal) => lost(`exit ${code ?? signal}`));
    shell.stdin?.on('error', (error: Error) => lost(error.message));
    // The guard waits for us, never we for it.
    shell.unref();
    if (shell.stdin instanceof Socket) shell.stdin.unref();
    return shell;
  }
}
