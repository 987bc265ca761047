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

/** The error if no shared process can be reached or started. */
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
  /** Returns the message that opens the window's session and states the minimum `version` of the process. */
  readonly createOpening: (version?: string) => WindowOpening;
  /** The version of this relay. */
  readonly version: string;
}

/**
 * Connects to the shared process, and starts it if none is running. If several relays connect concurrently, only one of
 * them starts it. A process that is older than this relay hands over to a new process.
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
      // Another mcpmux may have ended and removed the folder in the meantime.
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
 * Connects the window to the shared process. Returns `older` if the process is older than `version`, `silent` if it
 * does not answer, and `absent` if none is running.
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

/** A silent process counts as running, so that no other process is started on its socket. */
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
  // A killed process leaves its socket behind. The start lock ensures that no other relay is creating a new one.
  if (context.platform !== 'win32') rmSync(socket, { force: true });
  rmSync(stoppedFile, { force: true });
  let child = launch(start, logFile);
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (Date.now() < deadline) {
    // No minimum version is required, because the new process runs the version that is now installed.
    const connection = await connectWindow(shared);
    if (typeof connection === 'object') return connection;
    const { exitCode, signalCode } = child;
    if (exitCode !== null) throw startFailedError(logFile, exitCode);
    // A process that was killed by a signal is started again, because its command may still work.
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
    // After a failed spawn, Node.js also sets `exitCode`, which the caller checks.
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
