import type { Clock, Timer } from '@mcpmux/kit';
import type { ProcessGroup } from './process-group.js';

/** How long each rung of the ladder is given, in milliseconds. */
export interface StopTimings {
  /** From the end of stdin to SIGTERM. */
  readonly eofGraceMs: number;
  /** From SIGTERM to SIGKILL. */
  readonly termGraceMs: number;
}

/** Of a removed or reloaded server: 1 s of draining calls before it, 5 s in all. */
export const REMOVE_TIMINGS: StopTimings = { eofGraceMs: 2000, termGraceMs: 2000 };
/** Of mcpmux's own end: with 0.5 s of draining before it, SIGKILL after 2 s. Hosts send SIGKILL 4 s after closing stdin. */
export const SHUTDOWN_TIMINGS: StopTimings = { eofGraceMs: 900, termGraceMs: 600 };
/** Of a run that failed to start, of a group whose leader is gone, and of a removal that cannot wait. */
export const ABORT_TIMINGS: StopTimings = { eofGraceMs: 0, termGraceMs: 500 };

/** After SIGKILL only the kernel can be late; a process that it cannot end is given up. */
const KILL_GRACE_MS = 500;
/** How often a group is looked at once its leader has exited: the others are nobody's children any more. */
const GROUP_POLL_MS = 15;

/** The longest way down: after it no process is left, or none that can be ended. */
export function longestStopMs({ eofGraceMs, termGraceMs }: StopTimings): number {
  return eofGraceMs + termGraceMs + KILL_GRACE_MS;
}

/** Where a run stands on its way down. */
export type StopState = 'up' | 'stdin-closed' | 'terminating' | 'killing' | 'gone';
/** The events that change the state of a stop: a request, a timer, and two facts. */
export type StopEvent = 'stop' | 'out-of-patience' | 'leader-exited' | 'group-gone';
/** The action on the processes at the entry of a state. */
export type StopAction = 'close-stdin' | 'terminate' | 'kill';

/** The one way down: stdin EOF, SIGTERM, SIGKILL. Events that do not apply leave the state as it is. */
export function nextStop(
  state: StopState,
  event: StopEvent,
): { readonly state: StopState; readonly action?: StopAction } {
  if (event === 'group-gone') return { state: 'gone' };
  switch (state) {
    case 'up':
      if (event === 'stop') return { state: 'stdin-closed', action: 'close-stdin' };
      // A crash, or an orderly exit that left descendants behind: they go too.
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

/** The effects of the ladder, and its view of the processes. */
export interface StopEffects extends ProcessGroup {
  closeStdin(): void;
}

/** Brings one run down, once. Every call after the first can only hasten it. */
export class StopLadder {
  /** Resolves when no process of the group is left, or none that can be ended. */
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
    this.gone = new Promise((resolve) => {
      this.resolveGone = resolve;
    });
  }

  /** Begins the descent, or hastens one that was begun with more patience. */
  stop(timings: StopTimings): Promise<void> {
    const isFirst = this.state === 'up';
    this.timings = isFirst ? timings : shorter(this.timings, timings);
    if (isFirst) this.apply('stop');
    else this.waitAtMost(this.graceOf(this.state));
    return this.gone;
  }

  /** The leader has exited; whatever it left behind is ended without further courtesy. */
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
