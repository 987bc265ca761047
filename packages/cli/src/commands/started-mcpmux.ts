import { spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';

import { ExitCode } from '../base/exit-code.js';
import type { Announcement } from '../live/announcement.js';
import { processPlaces } from '../live/instance-folder.js';
import { runningInstances } from '../live/instances.js';
import { CommandError } from '../terminal/command-error.js';

/** A mcpmux announces itself before its servers run. */
const ANNOUNCED_WITHIN_MS = 30_000;
const LOOKED_FOR_EACH_MS = 50;

/**
 * Starts a mcpmux in the foreground, which the terminal ends with Ctrl-C. Resolves with its exit code.
 *
 * @param onAnnounced called when commands can reach the mcpmux; its error ends the mcpmux
 * @throws CommandError NOT_RUNNING when the mcpmux does not announce itself; the error of `onAnnounced`
 */
export async function runMcpmux(
  args: readonly string[],
  onAnnounced: (instance: Announcement) => Promise<void>,
): Promise<number> {
  const child = spawn(process.execPath, [process.argv[1] ?? '', ...args], { stdio: 'inherit' });
  const ended = once(child, 'exit');
  // The terminal sends Ctrl-C to both, and the child ends in order.
  const wait = (): void => undefined;
  const pass = (): void => void child.kill();
  process.on('SIGINT', wait);
  process.once('SIGTERM', pass);
  const looking = new AbortController();
  try {
    const isEarly = ended.then(() => undefined);
    const instance = await Promise.race([announced(child.pid, looking.signal), isEarly]);
    if (instance !== undefined) await onAnnounced(instance);
    await ended;
  } catch (error) {
    child.kill();
    await ended;
    throw error;
  } finally {
    looking.abort();
    process.off('SIGINT', wait);
    process.off('SIGTERM', pass);
  }
  return child.exitCode ?? ExitCode.Failed;
}

/** Resolves with undefined when the signal comes first. */
async function announced(pid: number | undefined, signal: AbortSignal): Promise<Announcement | undefined> {
  const places = processPlaces();
  for (let left = ANNOUNCED_WITHIN_MS; left > 0; left -= LOOKED_FOR_EACH_MS) {
    const found = runningInstances(places).find((instance) => instance.pid === pid);
    if (found !== undefined || signal.aborted) return found;
    await delay(LOOKED_FOR_EACH_MS, undefined, { signal }).catch(() => undefined);
  }
  throw new CommandError('NOT_RUNNING', `the mcpmux that was started (pid ${pid}) did not announce itself.`, {
    next: 'run: mcpmux serve --http --ui --log-level debug, which logs the reason and prints a link',
  });
}
