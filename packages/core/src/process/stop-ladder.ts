import type { Clock, Timer } from '@mcpmux/kit';
import type { ProcessGroup } from './process-group.js';

/** The grace periods of a stop, in milliseconds. */
export interface StopTimings {
  /** From the end of stdin to SIGTERM. */
  readonly eofGraceMs: number;
  /** From SIGTERM to SIGKILL. */
  readonly termGraceMs: number;
}

/** The timings for a removed or reloaded server. Calls may drain for 1 s first, so SIGKILL is sent within 5 s. */
export const REMOVE_TIMINGS: StopTimings = { eofGraceMs: 2000, termGraceMs: 2000 };
/**
 * The timings for the shutdown of mcpmux. Calls may drain for 0.5 s first, so SIGKILL is sent within 2 s. A client may
 * kill mcpmux 4 s after it has closed mcpmux's stdin.
 */
export const SHUTDOWN_TIMINGS: StopTimings = { eofGraceMs: 900, termGraceMs: 600 };
/** The timings for a run that failed to start, a group whose leader has exited, or a removal that cannot wait. */
export const ABORT_TIMINGS: StopTimings = { eofGraceMs: 0, termGraceMs: 500 };

/**
 * How long mcpmux waits for a group to end after SIGKILL, in milliseconds. The kernel may be unable to end a process.
 */
export const KILL_GRACE_MS = 500;
/**
 * The interval between checks of a group whose leader has exited, in milliseconds. mcpmux is not the parent of the
 * other processes, so it gets no event when they end.
 */
const GROUP_POLL_MS = 15;

/** The states of a process group: `up` until a stop begins, `gone` when mcpmux no longer waits for the group. */
export type StopState = 'up' | 'stdin-closed' | 'terminating' | 'killing' | 'gone';
/** The events of a stop. `out-of-patience`: the grace period has expired. `group-gone`: no process remains. */
export type StopEvent = 'stop' | 'out-of-patience' | 'leader-exited' | 'group-gone';
/** The action that a stop takes when it enters a state. */
export type StopAction = 'close-stdin' | 'terminate' | 'kill';

/** Returns the next state: stdin closed, then SIGTERM, then SIGKILL. An event that does not apply changes nothing. */
export function stopTransition(
  state: StopState,
  event: StopEvent,
): { readonly state: StopState; readonly action?: StopAction } {
  if (event === 'group-gone') return { state: 'gone' };
  switch (state) {
    case 'up':
      if (event === 'stop') return { state: 'stdin-closed', action: 'close-stdin' };
      // The leader crashed or exited by itself. Descendants that still run must end too.
      return event === 'leader-exited' ? { state: 'terminating', action: 'terminate' } : { state };
    case 'stdin-closed':
      return event === 'stop' ? { state } : { state: 'terminating', action: 'terminate' };
    case 'terminating':
      return event === 'out-of-patience' ? { state: 'killing', action: 'kill' } : { state };
    case 'killing':
      return event === 'out-of-patience' ? { state: 'gone' } : { state };
    case 'gone':
      return { state };
  }
}

/** The process group that a stop acts on, and the stdin of its leader. */
export interface StopEffects extends ProcessGroup {
  closeStdin(): void;
}

/**
 * Stops the process group of one run. The first call of `stop` begins the stop, and later calls can only shorten it.
 */
export class StopLadder {
  /** Resolves when no process of the group remains, or `KILL_GRACE_MS` after SIGKILL. */
  readonly endPromise: Promise<void>;
  private state: StopState = 'up';
  private graceTimer: Timer | undefined;
  private pollTimer: Timer | undefined;
  private timings: StopTimings = ABORT_TIMINGS;
  private deadline = Infinity;
  private resolveEnded: () => void = () => undefined;

  constructor(
    private readonly effects: StopEffects,
    private readonly clock: Clock,
  ) {
    this.endPromise = new Promise((resolve) => (this.resolveEnded = resolve));
  }

  stop(timings: StopTimings): Promise<void> {
    const isFirstStop = this.state === 'up';
    this.timings = isFirstStop ? timings : shorterTimings(this.timings, timings);
    if (isFirstStop) this.applyEvent('stop');
    else this.waitAtMost(this.graceMsIn(this.state));
    return this.endPromise;
  }

  /** Ends the rest of the group after the leader's exit, with `ABORT_TIMINGS` or shorter ones. */
  handleLeaderExit(): void {
    this.timings = shorterTimings(this.timings, ABORT_TIMINGS);
    if (!this.effects.isAlive()) return this.applyEvent('group-gone');
    this.applyEvent('leader-exited');
    this.waitAtMost(this.graceMsIn(this.state));
    this.schedulePoll();
  }

  private schedulePoll(): void {
    if (this.state === 'gone') return;
    this.pollTimer = this.clock.schedule(() => {
      if (this.effects.isAlive()) this.schedulePoll();
      else this.applyEvent('group-gone');
    }, GROUP_POLL_MS);
  }

  private applyEvent(event: StopEvent): void {
    const previousState = this.state;
    const { state, action } = stopTransition(previousState, event);
    this.state = state;
    if (action === 'close-stdin') this.effects.closeStdin();
    if (action === 'terminate') this.effects.signal('SIGTERM');
    if (action === 'kill') this.effects.signal('SIGKILL');
    if (state === 'gone') return this.finish();
    if (state !== previousState) {
      this.deadline = Infinity;
      this.waitAtMost(this.graceMsIn(state));
    }
  }

  private waitAtMost(graceMs: number): void {
    const deadline = this.clock.now() + graceMs;
    if (this.state === 'up' || this.state === 'gone' || deadline >= this.deadline) return;
    this.deadline = deadline;
    this.graceTimer?.cancel();
    this.graceTimer = this.clock.schedule(() => this.applyEvent('out-of-patience'), graceMs);
  }

  private graceMsIn(state: StopState): number {
    if (state === 'stdin-closed') return this.timings.eofGraceMs;
    return state === 'terminating' ? this.timings.termGraceMs : KILL_GRACE_MS;
  }

  private finish(): void {
    this.graceTimer?.cancel();
    this.pollTimer?.cancel();
    this.resolveEnded();
  }
}

function shorterTimings(a: StopTimings, b: StopTimings): StopTimings {
  return {
    eofGraceMs: Math.min(a.eofGraceMs, b.eofGraceMs),
    termGraceMs: Math.min(a.termGraceMs, b.termGraceMs),
  };
}
