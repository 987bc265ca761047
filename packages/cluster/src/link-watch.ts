import type { Clock, Timer } from '@mcpmux/kit';

/** Delay after the first of several frames until an end verifies that the other end has received all of them. */
const CHECK_MS = 5000;
/** Maximum interval of the checks without frames. Each node has a link to each server of all other nodes. */
const QUIET_MS = 600_000;
/** Time without a response to a check after which the other end is treated as gone. */
const GONE_MS = 15_000;
/**
 * Additional delay of the end that accepted the link. The other end then checks first, and one check serves both ends.
 */
const SECOND_MS = 1000;

/** Verifies that the other end of a link is alive and has every frame. An idle link costs almost nothing. */
export class LinkWatch {
  private timer: Timer | undefined;
  private pauseMs = CHECK_MS;
  private hasHeard = false;
  /** True if the other end got a report about each frame that this end has sent. */
  private hasReported = true;
  /** The time at which the other end is treated as gone; undefined while no check waits for a response. */
  private goneAt: number | undefined;
  private hasEnded = false;

  /**
   * @param isFirst true if this end has requested the link
   * @param report reports the number of sent frames to the other end, and requests a sign of life
   * @param gone called when the other end has not responded in time
   */
  constructor(
    private readonly clock: Clock,
    private readonly isFirst: boolean,
    private readonly report: () => void,
    private readonly gone: () => void,
  ) {}

  begin(): void {
    this.wait(CHECK_MS);
  }

  end(): void {
    this.hasEnded = true;
    this.timer?.cancel();
  }

  /** Notes that a message from the other end has arrived. */
  heard(): void {
    this.hasHeard = true;
    this.goneAt = undefined;
  }

  /** Notes that the other end gets the number of sent frames. */
  reported(): void {
    this.hasReported = true;
  }

  /** Notes that this end sends a frame. */
  sent(): void {
    this.hasReported = false;
    this.used();
  }

  /** Notes that a frame is sent or received. */
  used(): void {
    if (this.pauseMs === CHECK_MS) return;
    this.pauseMs = CHECK_MS;
    this.wait(CHECK_MS);
  }

  /** Requests a response from the other end. Without a response in time, the other end is treated as gone. */
  check(withinMs = GONE_MS): void {
    const goneAt = this.clock.now() + withinMs;
    if (this.goneAt !== undefined && this.goneAt <= goneAt) return;
    this.goneAt = goneAt;
    this.ask();
  }

  /** Restarts the time for a response, because the connection has been restored. */
  reconnected(): void {
    this.goneAt = undefined;
    this.check();
  }

  private beat(): void {
    if (this.goneAt !== undefined) {
      if (this.clock.now() < this.goneAt) this.ask();
      else this.gone();
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
    this.report();
    this.wait(CHECK_MS);
  }

  private wait(ms: number): void {
    const { clock, isFirst } = this;
    this.timer?.cancel();
    if (this.hasEnded) return;
    const pauseMs = isFirst ? ms : ms + SECOND_MS;
    const waitMs = this.goneAt === undefined ? pauseMs : Math.min(ms, this.goneAt - clock.now());
    this.timer = clock.schedule(() => this.beat(), waitMs);
  }
}
