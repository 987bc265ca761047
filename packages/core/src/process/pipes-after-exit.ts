import type { Clock } from '@mcpmux/kit';

/** The time after `exit` for reading the pipes. A grandchild that holds a pipe keeps it open for ever. */
const PATIENCE_MS = 250;
/** The pause between two checks for new bytes. */
const QUIET_MS = 10;
/** The maximum number of checks. A grandchild may write for ever. */
const MAX_LOOKS = 100;

/** A process that has exited, and its pipes. */
interface ExitedProcess {
  readonly stdout: object;
  readonly stderr: object;
  once(event: 'close', listener: () => void): unknown;
  off(event: 'close', listener: () => void): unknown;
}

/**
 * Calls `done` when the pipes of an exited process have been read to the end. If the pipes stay open, calls `done`
 * after 250 ms, or later while bytes still arrive. mcpmux itself may have been suspended for that time, so the reason
 * for the exit or the response to a call may still be in a pipe.
 */
export function whenPipesAreRead(child: ExitedProcess, clock: Clock, done: () => void): void {
  let looks = 0;
  let seen = -1;
  const finish = (): void => {
    patience.cancel();
    child.off('close', finish);
    done();
  };
  const look = (): void => {
    const before = seen;
    seen = bytesRead(child.stdout) + bytesRead(child.stderr);
    looks += 1;
    if (seen === before || looks > MAX_LOOKS) finish();
    else patience = clock.schedule(look, QUIET_MS);
  };
  let patience = clock.schedule(look, PATIENCE_MS);
  child.once('close', finish);
}

/** Returns the number of bytes that a stream has read. A socket counts them; a stream that the host passes may not. */
function bytesRead(stream: object): number {
  return 'bytesRead' in stream && typeof stream.bytesRead === 'number' ? stream.bytesRead : 0;
}
