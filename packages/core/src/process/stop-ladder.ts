import type { Clock, Timer } from '@mcpmux/kit';
import type { ProcessGroup } from './process-group.js';

/** The time for each step of a stop, in milliseconds. */
export interface StopTimings {
  /** From the end of stdin to SIGTERM. */
  readonly eofGraceMs: number;
  /** From SIGTERM to SIGKILL. */
  readonly termGraceMs: number;
}

/** The timings for a removed or reloaded server. With 1 s for draining calls before, SIGKILL is sent after 5 s. */
export const REMOVE_TIMINGS: StopTimings = { eofGraceMs: 2000, termGraceMs: 2000 };
/**
 * The timings for the shutdown of mcpmux. With 0.5 s for draining before, SIGKILL is sent after 2 s. Hosts send SIGKILL
 * 4 s after they close stdin.
 */
export const SHUTDOWN_TIMINGS: StopTimings = { eofGraceMs: 900, termGraceMs: 600 };
/** The timings for a run that failed to start, a group whose leader has exited, and a removal that cannot wait. */
export const ABORT_TIMINGS: StopTimings = { eofGraceMs: 0, termGraceMs: 500 };

/** The time for the kernel after SIGKILL. mcpmux gives up a process that the kernel cannot end. */
export const KILL_GRACE_MS = 500;
/**
 * The pause between two checks of a group whose leader has exited. mcpmux is not the parent of the other processes, so
 * it gets no event when they end.
 */
const GROUP_POLL_MS = 15;

/** The state of a stop. */
export type StopState = 'up' | 'stdin-closed' | 'terminating' | 'killing' | 'gone';
/** The events that change the state of a stop: a request, a timer, and two observations. */
export type StopEvent = 'stop' | 'out-of-patience' | 'leader-exited' | 'group-gone';
/** The action on the processes when a stop enters a state. */
export type StopAction = 'close-stdin' | 'terminate' | 'kill';

/**
 * Returns the next state of a stop: stdin EOF, then SIGTERM, then SIGKILL. An event that does not apply keeps the
 * state.
 */
export function nextStop(
  state: StopState,
  event: StopEvent,
): { readonly state: StopState; readonly action?: StopAction } {
  if (event === 'group-gone') return { state: 'gone' };
  switch (state) {
    case 'up':
      if (event === 'stop') return { state: 'stdin-closed', action: 'close-stdin' };
      // A crash, or an orderly exit that left descendants. The descendants must end too.
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

/** The actions of a stop on the processes, and its view of them. */
export interface StopEffects extends ProcessGroup {
  closeStdin(): void;
}

/** Stops one run, once. Later calls can only make the stop faster. */
export class StopLadder {
  /** Resolves when no process of the group is left, except processes that cannot be ended. */
  readonly gone: Promise<void>;
  private state: StopState = 'up';
  private patience: Timer | undefined;
  private poll: Timer | undefined;
  private timings: StopTimings = ABORT_TIMINGS;
  private deadline = Infinity;
  private resolveGone: () => void = () => undefined;

  constructor(
    private readonly effects: StopEffects,
    private readonly clock: Clock,
  ) {
    this.gone = new Promise((resolve) => (this.resolveGone = resolve));
  }

  /** Begins the stop, or shortens the timings of a stop that has begun. */
  stop(timings: StopTimings): Promise<void> {
    const isFirst = this.state === 'up';
    this.timings = isFirst ? timings : shorter(this.timings, timings);
    if (isFirst) this.apply('stop');
    else this.waitAtMost(this.graceOf(this.state));
    return this.gone;
  }

  /** Handles the exit of the leader. The processes that it left get only the shortest timings. */
  leaderExited(): void {
    this.timings = shorter(this.timings, ABORT_TIMINGS);
    if (!this.effects.isAlive()) return this.apply('group-gone');
    this.apply('leader-exited');
    this.waitAtMost(this.graceOf(this.state));
    this.lookAgainLater();
  }

  private lookAgainLater(): void {
    if (this.state === 'gone') return;
    this.poll = this.clock.schedule(() => {
      if (this.effects.isAlive()) this.lookAgainLater();
      else this.apply('group-gone');
    }, GROUP_POLL_MS);
  }

  private apply(event: StopEvent): void {
    const before = this.state;
    const { state, action } = nextStop(before, event);
    this.state = state;
    if (action === 'close-stdin') this.effects.closeStdin();
    if (action === 'terminate') this.effects.signal('SIGTERM');
    if (action === 'kill') this.effects.signal('SIGKILL');
    if (state === 'gone') return this.finish();
    if (state !== before) {
      this.deadline = Infinity;
      this.waitAtMost(this.graceOf(state));
    }
  }

  private waitAtMost(graceMs: number): void {
    const deadline = this.clock.now() + graceMs;
    if (this.state === 'up' || this.state === 'gone' || deadline >= this.deadline) return;
    this.deadline = deadline;
    this.patience?.cancel();
    this.patience = this.clock.schedule(() => this.apply('out-of-patience'), graceMs);
  }

  private graceOf(state: StopState): number {
    if (state === 'stdin-closed') return this.timings.eofGraceMs;
    return state === 'terminating' ? this.timings.termGraceMs : KILL_GRACE_MS;
  }

  private finish(): void {
    this.patience?.cancel();
    this.poll?.cancel();
    this.resolveGone();
  }
}

function shorter(a: StopTimings, b: StopTimings): StopTimings {
  return {
    eofGraceMs: Math.min(a.eofGraceMs, b.eofGraceMs),
    termGraceMs: Math.min(a.termGraceMs, b.termGraceMs),
  };
}
