import type { Clock } from '@mcpmux/kit';

/** The time from `exit` to the first check of open pipes, in milliseconds. A grandchild may keep them open forever. */
const FIRST_CHECK_DELAY_MS = 250;
/** The interval between checks for new bytes, in milliseconds. */
const CHECK_INTERVAL_MS = 10;
/** The maximum number of checks. A grandchild may write indefinitely. */
const MAX_CHECKS = 100;

interface ExitedProcess {
  readonly stdout: object;
  readonly stderr: object;
  once(event: 'close', listener: () => void): unknown;
  off(event: 'close', listener: () => void): unknown;
}

/**
 * Calls `done` when an exited process's pipes have been read to the end. If they stay open, waits 250 ms, and then at
 * most another second until no more bytes arrive: if mcpmux was suspended in the meantime, an error message or a
 * response may still be unread in a pipe.
 */
export function whenPipesAreRead(child: ExitedProcess, clock: Clock, done: () => void): void {
  let checks = 0;
  let byteCount = -1;
  const finish = (): void => {
    timer.cancel();
    child.off('close', finish);
    done();
  };
  const check = (): void => {
    const previousByteCount = byteCount;
    byteCount = bytesRead(child.stdout) + bytesRead(child.stderr);
    checks += 1;
    if (byteCount === previousByteCount || checks > MAX_CHECKS) finish();
    else timer = clock.schedule(check, CHECK_INTERVAL_MS);
  };
  let timer = clock.schedule(check, FIRST_CHECK_DELAY_MS);
  child.once('close', finish);
}

/** Returns the number of bytes read so far, or 0 if the stream is not a socket and does not count them. */
function bytesRead(stream: object): number {
  return 'bytesRead' in stream && typeof stream.bytesRead === 'number' ? stream.bytesRead : 0;
}
