import { spawn, type ChildProcess } from 'node:child_process';
import process from 'node:process';

import type { ProcessSpec } from './program-spec.js';

/** The limits of a program whose output is read. */
export interface ProgramLimits {
  readonly timeoutMs: number;
  /** The size of stdout above which the program is ended. */
  readonly maxBytes: number;
}

/** The end of a program, and what it has written. */
export type ProgramOutput = {
  /** The end of stderr. */
  readonly stderr: string;
} & (
  | { readonly end: 'exit'; readonly code: number; readonly stdout: string }
  | { readonly end: 'signal'; readonly signal: string }
  | { readonly end: 'timeout' | 'too-long' }
);

const MAX_STDERR = 16 * 1024;

/**
 * Runs a program to its end, without input. Afterwards, nothing of its process group is left.
 *
 * @param started registers the process group, and returns a function that is called when the group has ended
 * @throws the error of the operating system if the program cannot be started
 */
export async function programOutput(
  { command, args, ...options }: ProcessSpec,
  { timeoutMs, maxBytes }: ProgramLimits,
  started: (pid: number) => () => void = () => () => undefined,
): Promise<ProgramOutput> {
  const child = spawn(command, args, {
    ...options,
    shell: false,
    detached: process.platform !== 'win32',
    windowsHide: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let cut: 'timeout' | 'too-long' | undefined;
  const endBy = (why: typeof cut): void => {
    cut ??= why;
    endGroup(child);
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
  const ended = child.pid === undefined ? undefined : started(child.pid);
  try {
    const { code, signal } = await exitOf(child);
    if (cut !== undefined) return { end: cut, stderr };
    if (signal !== null) return { end: 'signal', signal, stderr };
    return { end: 'exit', code: code ?? 1, stdout: Buffer.concat(chunks).toString(), stderr };
  } finally {
    clearTimeout(timer);
    // A process that the program has left may keep the pipes open.
    endGroup(child);
    ended?.();
  }
}

/**
 * Resolves once the program has exited, and its pipes have been read to the end or a process that it left holds them.
 */
async function exitOf(
  child: ChildProcess,
): Promise<{ readonly code: number | null; readonly signal: string | null }> {
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code, signal) => {
      const done = (): void => resolve({ code, signal });
      const late = setTimeout(done, LAST_OUTPUT_MS);
      child.on('close', () => {
        clearTimeout(late);
        done();
      });
    });
  });
}

/** The time in which the output of an ended program must end. */
const LAST_OUTPUT_MS = 250;

function endGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
  } catch {
    // Nothing is left.
  }
}
