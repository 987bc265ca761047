import { spawn, type ChildProcess } from 'node:child_process';
import process from 'node:process';

import type { ProcessSpec } from './program-spec.js';
import { systemProgram } from './system-program.js';

/** The limits for a program whose output is read. */
export interface ProgramLimits {
  readonly timeoutMs: number;
  /** The size of stdout, in bytes, above which the program is killed. */
  readonly maxBytes: number;
  /** Kills the program when aborted. */
  readonly signal?: AbortSignal;
}

/** How a program ended, and its output. */
export type ProgramOutput = {
  /** The last part of stderr. */
  readonly stderr: string;
} & (
  | { readonly end: 'exit'; readonly code: number; readonly stdout: string }
  | { readonly end: 'signal'; readonly signal: string }
  | { readonly end: 'timeout' | 'too-long' | 'aborted' }
);

const MAX_STDERR = 16 * 1024;

/**
 * Runs a program without input until it ends. Afterwards, no process of its group is left.
 *
 * @param registerGroup registers the process group, and returns a function that is called when the group has ended
 * @throws the error of the operating system if the program cannot be started, or the reason of a signal that was
 *   already aborted
 */
export async function programOutput(
  { command, args, ...options }: ProcessSpec,
  { timeoutMs, maxBytes, signal: abortSignal }: ProgramLimits,
  registerGroup: (pid: number) => () => void = () => () => undefined,
): Promise<ProgramOutput> {
  abortSignal?.throwIfAborted();
  const child = spawn(command, args, {
    ...options,
    shell: false,
    detached: process.platform !== 'win32',
    windowsHide: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let cut: 'timeout' | 'too-long' | 'aborted' | undefined;
  const endBy = (why: typeof cut): void => {
    cut ??= why;
    endProcessGroup(child);
  };
  const chunks: Buffer[] = [];
  let bytes = 0;
  child.stdout.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > maxBytes) return endBy('too-long');
    chunks.push(chunk);
  });
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => (stderr = (stderr + chunk.toString()).slice(-MAX_STDERR)));
  const timer = setTimeout(() => endBy('timeout'), timeoutMs);
  const abort = (): void => endBy('aborted');
  abortSignal?.addEventListener('abort', abort);
  const unregisterGroup = child.pid === undefined ? undefined : registerGroup(child.pid);
  try {
    const { code, signal } = await waitForExit(child);
    if (cut !== undefined) return { end: cut, stderr };
    if (signal !== null) return { end: 'signal', signal, stderr };
    return { end: 'exit', code: code ?? 1, stdout: Buffer.concat(chunks).toString(), stderr };
  } finally {
    clearTimeout(timer);
    abortSignal?.removeEventListener('abort', abort);
    endProcessGroup(child);
    // A process that has left the group may keep the pipes open.
    child.stdout.destroy();
    child.stderr.destroy();
    unregisterGroup?.();
  }
}

/**
 * Resolves when the program has exited and its pipes are closed. A process that the program has left running may keep
 * them open, so the wait for the pipes is limited.
 */
async function waitForExit(
  child: ChildProcess,
): Promise<{ readonly code: number | null; readonly signal: string | null }> {
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code, signal) => {
      const finish = (): void => resolve({ code, signal });
      const outputTimer = setTimeout(finish, LAST_OUTPUT_TIMEOUT_MS);
      child.on('close', () => {
        clearTimeout(outputTimer);
        finish();
      });
    });
  });
}

/** Maximum wait for the last output of a program that has exited, in milliseconds. */
const LAST_OUTPUT_TIMEOUT_MS = 250;

/**
 * Kills a program's process group. Windows has no process groups: there, `taskkill` ends the process tree while the
 * program runs, and the guard ends the processes that remain afterwards.
 */
export function endProcessGroup(
  { pid, exitCode, signalCode }: Pick<ChildProcess, 'pid' | 'exitCode' | 'signalCode'>,
  platform = process.platform,
  runProgram = runSilently,
): void {
  if (pid === undefined) return;
  if (platform !== 'win32') return killProcess(-pid);
  if (exitCode !== null || signalCode !== null) return;
  runProgram(systemProgram(process.env, 'taskkill.exe'), ['/PID', String(pid), '/T', '/F'], () =>
    killProcess(pid),
  );
}

function runSilently(command: string, args: readonly string[], onFailure: () => void): void {
  // Detached, because otherwise libuv would end the program when mcpmux ends.
  const program = spawn(command, args, { stdio: 'ignore', windowsHide: true, detached: true });
  program.on('error', onFailure);
  program.on('exit', (code) => {
    if (code !== 0) onFailure();
  });
}

function killProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The process has already ended.
  }
}
