import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, rmSync } from 'node:fs';
import { createConnection, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';

import { withFileLock } from '../files/file-lock.js';
import { checkPrivate, makePrivate, type InstancePlaces } from '../live/instance-folder.js';
import { checkSocket, type SharedAddress } from './shared-address.js';

/** How a shared process is started. */
export interface SharedStart {
  readonly program: readonly [command: string, ...args: string[]];
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** The shared process cannot be reached, and is not started again. */
export class SharedProcessError extends Error {
  override readonly name = 'SharedProcessError';

  /** @param exitCode that of the process, if it has ended */
  constructor(
    message: string,
    readonly exitCode?: number,
  ) {
    super(message);
  }
}

const START_TIMEOUT_MS = 30_000;
const LOCK = { waitMs: 2 * START_TIMEOUT_MS, staleMs: 2 * START_TIMEOUT_MS };
const POLL_MS = 5;
const MAX_REASON = 4000;
/** Nothing is there, no process listens, or the one that did has just ended. */
const ABSENT: ReadonlySet<unknown> = new Set(['ENOENT', 'ECONNREFUSED', 'ECONNRESET']);

/**
 * Connects to the shared process, and starts it if none runs. Of several callers at a time, in whatever process, one
 * starts it.
 *
 * @throws SharedProcessError
 */
export async function connectShared(
  address: SharedAddress,
  places: InstancePlaces,
  start: SharedStart,
): Promise<Socket> {
  for (let tries = 1; ; tries += 1) {
    try {
      makePrivate(address.folder, places);
      requireOwn(address, places);
      const running = await connected(address.socket);
      return running ?? (await withFileLock(address.start, () => startOnce(address, places, start), LOCK));
    } catch (error) {
      // The last other mcpmux has just removed the folder.
      const isFolderGone = error instanceof Error && 'code' in error && error.code === 'ENOENT';
      if (isFolderGone && tries < 3) continue;
      throw error instanceof SharedProcessError ? error : new SharedProcessError(String(error));
    }
  }
}

function requireOwn({ folder, socket }: SharedAddress, places: InstancePlaces): void {
  const problem = checkPrivate(folder, places) ?? checkSocket(socket, places);
  if (problem !== undefined) throw new SharedProcessError(problem);
}

/** @returns undefined when no process listens */
async function connected(socket: string): Promise<Socket | undefined> {
  const connection = createConnection({ path: socket, allowHalfOpen: true });
  try {
    await once(connection, 'connect');
    return connection;
  } catch (error) {
    connection.destroy();
    if (error instanceof Error && 'code' in error && ABSENT.has(error.code)) return undefined;
    throw error;
  }
}

async function startOnce(
  address: SharedAddress,
  places: InstancePlaces,
  start: SharedStart,
): Promise<Socket> {
  const { socket, log, stopped } = address;
  requireOwn(address, places);
  const running = await connected(socket);
  if (running !== undefined) return running;
  // Left by a process that was killed. Only the owner of the lock removes it, and the process itself as it ends.
  if (places.platform !== 'win32') rmSync(socket, { force: true });
  rmSync(stopped, { force: true });
  let child = launched(start, log);
  const ends = Date.now() + START_TIMEOUT_MS;
  while (Date.now() < ends) {
    const connection = await connected(socket);
    if (connection !== undefined) return connection;
    const { exitCode, signalCode } = child;
    if (exitCode !== null) throw startFailed(log, exitCode);
    // Killed from outside: that says nothing of the next one.
    if (signalCode !== null) child = launched(start, log);
    await setTimeout(POLL_MS);
  }
  child.kill();
  throw new SharedProcessError(`the shared mcpmux was not ready within 30 s. Its log: ${log}`);
}

/** Starts the process in a session of its own, so that it outlives this window. */
function launched({ program: [command, ...args], cwd, environment }: SharedStart, log: string): ChildProcess {
  const stderr = openSync(log, 'w', 0o600);
  try {
    const child = spawn(command, args, {
      cwd,
      env: environment,
      detached: true,
      windowsHide: true,
      stdio: ['ignore', 'ignore', stderr],
    });
    // An exit without a pid is the failure of the spawn.
    child.on('error', () => undefined);
    child.unref();
    return child;
  } finally {
    closeSync(stderr);
  }
}

function startFailed(log: string, exitCode: number): SharedProcessError {
  const reason = readFileSync(log, 'utf8').slice(-MAX_REASON).trim();
  return new SharedProcessError(
    `the shared mcpmux ended before it was ready (exit code ${exitCode}).${reason === '' ? '' : `\n${reason}`}`,
    exitCode,
  );
}
