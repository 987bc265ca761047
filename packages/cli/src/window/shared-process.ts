import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync, readFileSync, rmSync } from 'node:fs';
import type { Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';

import { errorCodeOf, messageOf } from '@mcpmux/core';

import { withFileLock } from '../files/file-lock.js';
import { makeFolder } from '../files/make-folder.js';
import { requestProof } from '../live/pipe-key.js';
import { findPrivacyProblem, type FolderContext } from '../live/instance-folder.js';
import type { WindowOpening } from '../live/read-opening.js';
import { findSocketProblem, type SharedAddress } from './shared-address.js';
import { connectIfServed, openWindowSession, requestHandOver } from './shared-socket.js';

/** The command that starts a shared process. */
export interface StartCommand {
  readonly program: readonly [command: string, ...args: string[]];
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** The error that is thrown if no shared process can be reached or started. */
export class SharedProcessError extends Error {
  override readonly name = 'SharedProcessError';

  /** @param exitCode the exit code of the process, if it has ended */
  constructor(
    message: string,
    readonly exitCode?: number,
  ) {
    super(message);
  }
}

const START_TIMEOUT_MS = 30_000;
const LOCK_OPTIONS = { waitMs: 2 * START_TIMEOUT_MS, staleMs: 2 * START_TIMEOUT_MS };
const POLL_MS = 5;
const MAX_REASON_LENGTH = 4000;

/** The parameters of {@link connectShared}. */
export interface SharedConnectionOptions {
  readonly address: SharedAddress;
  readonly context: FolderContext;
  readonly start: StartCommand;
  /** Returns the window's opening. @param version the minimum version of the process */
  readonly createOpening: (version?: string) => WindowOpening;
  /** The version of this relay. */
  readonly version: string;
}

/**
 * Connects to the shared process, and starts it if none is running. Only one of several concurrent callers starts it,
 * even across processes. A process of an older version hands over to a process of this version.
 *
 * @returns `silent` if a process listens on the socket but does not answer
 * @throws SharedProcessError
 */
export async function connectShared(shared: SharedConnectionOptions): Promise<Socket | 'silent'> {
  const { address, context } = shared;
  for (let tries = 1; ; tries += 1) {
    try {
      makeFolder(address.folder, 0o700);
      requirePrivateAddress(address, context);
      const result = await connectWindow(shared, shared.version);
      return isRunning(result)
        ? result
        : await withFileLock(address.startLock, () => startUnderLock(shared), LOCK_OPTIONS);
    } catch (error) {
      // Another mcpmux has just ended and removed the folder.
      const isMissingFolder = errorCodeOf(error) === 'ENOENT';
      if (isMissingFolder && tries < 3) continue;
      throw error instanceof SharedProcessError ? error : new SharedProcessError(messageOf(error));
    }
  }
}

function requirePrivateAddress({ folder, socket }: SharedAddress, context: FolderContext): void {
  const privacyProblem = findPrivacyProblem(folder, context);
  if (privacyProblem !== undefined)
    throw new SharedProcessError(
      `${privacyProblem}. Whoever has made it could read what you do. Set MCPMUX_RUNTIME_DIR to a folder of your own.`,
    );
  const socketProblem = findSocketProblem(socket, context);
  if (socketProblem !== undefined) throw new SharedProcessError(socketProblem);
}

/**
 * Returns a connection to the process that serves the window, or the reason why there is none. The process is older,
 * does not answer (`silent`), or does not exist (`absent`).
 */
async function connectWindow(
  { address: { socket }, createOpening, context }: SharedConnectionOptions,
  version?: string,
): Promise<Socket | 'older' | 'silent' | 'absent'> {
  const connection = await connectIfServed(socket);
  if (connection === undefined) return 'absent';
  const proof = await requestProof(connection, context);
  if (proof !== 'proved') return proof;
  const response = await openWindowSession(connection, createOpening(version));
  if (response === 'opened') return connection;
  connection.destroy();
  return response ?? 'absent';
}

/** True if a process is running, so none needs to be started. */
function isRunning(result: Awaited<ReturnType<typeof connectWindow>>): result is Socket | 'silent' {
  return result === 'silent' || typeof result === 'object';
}

async function startUnderLock(shared: SharedConnectionOptions): Promise<Socket | 'silent'> {
  const { address, context, start } = shared;
  const { socket, logFile, stoppedFile } = address;
  requirePrivateAddress(address, context);
  const result = await connectWindow(shared, shared.version);
  if (isRunning(result)) return result;
  if (result === 'older') await replaceOlderProcess(socket);
  // A killed process leaves its socket behind. Only its process and the owner of the lock may remove the socket.
  if (context.platform !== 'win32') rmSync(socket, { force: true });
  rmSync(stoppedFile, { force: true });
  let child = launch(start, logFile);
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (Date.now() < deadline) {
    // Any version is accepted, because the started process has the installed version.
    const connection = await connectWindow(shared);
    if (typeof connection === 'object') return connection;
    const { exitCode, signalCode } = child;
    if (exitCode !== null) throw startFailedError(logFile, exitCode);
    // If a signal has killed the process, another start may succeed.
    if (signalCode !== null) child = launch(start, logFile);
    await setTimeout(POLL_MS);
  }
  child.kill();
  throw new SharedProcessError(`the shared mcpmux was not ready within 30 s. Its log: ${logFile}`);
}

async function replaceOlderProcess(socket: string): Promise<void> {
  const connection = await connectIfServed(socket);
  if (connection === undefined || (await requestHandOver(connection))) return;
  throw new SharedProcessError(
    'a shared mcpmux of an older version runs and does not hand over. "mcpmux stop" ends it.',
  );
}

/** Starts the process in a separate session, so that it outlives this window. */
function launch({ program: [command, ...args], cwd, environment }: StartCommand, log: string): ChildProcess {
  const stderr = openSync(log, 'w', 0o600);
  try {
    const child = spawn(command, args, {
      cwd,
      env: environment,
      detached: true,
      windowsHide: true,
      stdio: ['ignore', 'ignore', stderr],
    });
    // A failed spawn also sets the exit code, which is checked later.
    child.on('error', () => undefined);
    child.unref();
    return child;
  } finally {
    closeSync(stderr);
  }
}

function startFailedError(log: string, exitCode: number): SharedProcessError {
  const reason = readFileSync(log, 'utf8').slice(-MAX_REASON_LENGTH).trim();
  return new SharedProcessError(
    `the shared mcpmux ended before it was ready (exit code ${exitCode}).${reason === '' ? '' : `\n${reason}`}`,
    exitCode,
  );
}
