import type { Clock, Timer } from '@mcpmux/kit';

/** How soon after the first of several frames an end makes sure that the other end has them all. */
const CHECK_MS = 5000;
/** Without frames the checks become rarer: each node has a link to each server of all other nodes. */
const QUIET_MS = 600_000;
/** After this time without an answer to a check the other end counts as gone. */
const GONE_MS = 15_000;
/** The end that was asked for the link lets the other one ask first: one check serves both. */
const SECOND_MS = 1000;

/** The dependencies of a {@link LinkWatch}. */
export interface LinkWatchParts {
  readonly clock: Clock;
  /** This end has asked for the link. */
  readonly isFirst: boolean;
  /** Tells the other end how many frames were sent, and asks for a sign of life. */
  readonly ask: () => void;
  /** The other end has not answered in time. */
  readonly gone: () => void;
}

/** Finds out whether the other end of a link is there and has every frame. An idle link costs next to nothing. */
export class LinkWatch {
  private timer: Timer | undefined;
  private pauseMs = CHECK_MS;
  private hasHeard = false;
  /** The other end was told of each frame that this end has sent. */
  private hasReported = true;
  /** When the other end counts as gone; undefined while no check waits for an answer. */
  private goneAt: number | undefined;
  private hasEnded = false;

  constructor(private readonly parts: LinkWatchParts) {}

  begin(): void {
    this.wait(CHECK_MS);
  }

  end(): void {
    this.hasEnded = true;
    this.timer?.cancel();
  }

  /** A message of the other end has come. */
  heard(): void {
    this.hasHeard = true;
    this.goneAt = undefined;
  }

  /** The other end is told how many frames were sent. */
  reported(): void {
    this.hasReported = true;
  }

  /** This end sends a frame. */
  sent(): void {
    this.hasReported = false;
    this.used();
  }

  /** A frame comes or goes. */
  used(): void {
    if (this.pauseMs === CHECK_MS) return;
    this.pauseMs = CHECK_MS;
    this.wait(CHECK_MS);
  }

  /** Has the other end answer. If no answer comes in time, it counts as gone. */
  check(withinMs = GONE_MS): void {
    const goneAt = this.parts.clock.now() + withinMs;
    if (this.goneAt !== undefined && this.goneAt <= goneAt) return;
    this.goneAt = goneAt;
    this.ask();
  }

  /** The connection is back: the other end has its time anew. */
  reconnected(): void {
    this.goneAt = undefined;
    this.check();
  }

  private beat(): void {
    if (this.goneAt !== undefined) {
      if (this.parts.clock.now() < this.goneAt) this.ask();
      else this.parts.gone();
      return;
    }
    const isKnown = this.hasHeard && this.hasReported;
    this.hasHeard = false;
    this.pauseMs = Math.min(this.pauseMs * 2, QUIET_MS);
    if (isKnown) this.wait(this.pauseMs);
    else this.check();
  }

  private ask(): void {
    this.hasReported = true;
    this.parts.ask();
    this.wait(CHECK_MS);
  }

  private wait(ms: number): void {
    const { clock, isFirst } = this.parts;
    this.timer?.cancel();
    if (this.hasEnded) return;
    const pauseMs = isFirst ? ms : ms + SECOND_MS;
    const waitMs = this.goneAt === undefined ? pauseMs : Math.min(ms, this.goneAt - clock.now());
    this.timer = clock.schedule(() => this.beat(), waitMs);
  }
}
