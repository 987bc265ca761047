import type { Clock, Timer } from '@mcpmux/kit';

/** The delay between the first frame of a burst and the check that the other end has received every frame. */
const CHECK_DELAY_MS = 5000;
/** The maximum interval between checks of an idle link. Long, because a node may have many links to each other node. */
const MAX_CHECK_INTERVAL_MS = 600_000;
/** The time without a response to a check after which the other end is treated as gone. */
const RESPONSE_TIMEOUT_MS = 15_000;
/**
 * The additional delay at the end that accepted the link, so that the other end checks first. One check serves both.
 */
const ACCEPTOR_DELAY_MS = 1000;

/** Verifies that the other end of a link is alive and has received every frame. An idle link causes little traffic. */
export class LinkWatch {
  private timer: Timer | undefined;
  private checkDelayMs = CHECK_DELAY_MS;
  private hasReceived = false;
  /** True if this end has reported its frame count since it sent the last frame. */
  private hasReported = true;
  /** The time at which the other end is treated as gone. Undefined while no check waits for a response. */
  private deadline: number | undefined;
  private hasEnded = false;

  /**
   * @param isRequester true if this end has requested the link
   * @param report reports the number of sent frames to the other end and requests a response
   * @param onGone called when the other end has not responded in time
   */
  constructor(
    private readonly clock: Clock,
    private readonly isRequester: boolean,
    private readonly report: () => void,
    private readonly onGone: () => void,
  ) {}

  begin(): void {
    this.scheduleTick(CHECK_DELAY_MS);
  }

  end(): void {
    this.hasEnded = true;
    this.timer?.cancel();
  }

  /** Must be called for every message from the other end. */
  noteReceived(): void {
    this.hasReceived = true;
    this.deadline = undefined;
  }

  /** Must be called when the number of sent frames is reported to the other end. */
  noteReported(): void {
    this.hasReported = true;
  }

  /** Must be called when this end sends a `data` or `end` frame. */
  noteSent(): void {
    this.hasReported = false;
    this.noteActivity();
  }

  /** Must be called when a `data` or `end` frame is received. Restores the short check interval of an active link. */
  noteActivity(): void {
    if (this.checkDelayMs === CHECK_DELAY_MS) return;
    this.checkDelayMs = CHECK_DELAY_MS;
    this.scheduleTick(CHECK_DELAY_MS);
  }

  /** Requests a response from the other end, which is treated as gone if it does not respond in time. */
  check(withinMs = RESPONSE_TIMEOUT_MS): void {
    const deadline = this.clock.now() + withinMs;
    if (this.deadline !== undefined && this.deadline <= deadline) return;
    this.deadline = deadline;
    this.sendCheck();
  }

  /** Checks at once. Must be called when the connection has been restored. */
  handleReconnect(): void {
    this.deadline = undefined;
    this.check();
  }

  private tick(): void {
    if (this.deadline !== undefined) {
      if (this.clock.now() < this.deadline) this.sendCheck();
      else this.onGone();
      return;
    }
    const isConfirmed = this.hasReceived && this.hasReported;
    this.hasReceived = false;
    this.checkDelayMs = Math.min(this.checkDelayMs * 2, MAX_CHECK_INTERVAL_MS);
    if (isConfirmed) this.scheduleTick(this.checkDelayMs);
    else this.check();
  }

  private sendCheck(): void {
    this.hasReported = true;
    this.report();
    this.scheduleTick(CHECK_DELAY_MS);
  }

  private scheduleTick(ms: number): void {
    const { clock, isRequester } = this;
    this.timer?.cancel();
    if (this.hasEnded) return;
    const pauseMs = isRequester ? ms : ms + ACCEPTOR_DELAY_MS;
    const waitMs = this.deadline === undefined ? pauseMs : Math.min(ms, this.deadline - clock.now());
    this.timer = clock.schedule(() => this.tick(), waitMs);
  }
}
