import type { Clock } from '@mcpmux/kit';

/** The time after `exit` for reading the pipes: a grandchild that holds a pipe keeps it open for ever. */
const PATIENCE_MS = 250;
/** The pause between two looks at what has been read since. */
const QUIET_MS = 10;
/** The limit of looks: a grandchild may write for ever. */
const MAX_LOOKS = 100;

/** A process that has exited, as far as its pipes are concerned. */
interface ExitedProcess {
  readonly stdout: object;
  readonly stderr: object;
  once(event: 'close', listener: () => void): unknown;
  off(event: 'close', listener: () => void): unknown;
}

/**
 * Calls `done` when the pipes of a process that has exited are read to the end. If they stay open, `done` is called after
 * 250 ms, but not while bytes come: mcpmux itself may have stood still for that time, and the reason of the exit, or the
 * answer to a call, may wait in a pipe.
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

/** Sockets count their bytes. The streams of a host may not. */
function bytesRead(stream: object): number {
  return 'bytesRead' in stream && typeof stream.bytesRead === 'number' ? stream.bytesRead : 0;
}
