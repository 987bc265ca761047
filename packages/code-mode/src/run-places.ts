import { Semaphore } from '@mcpmux/kit';

/** The runs of one principal that wait, for each one that runs. */
const WAITING_PER_RUN = 4;
/** The principals that run as much code as they may at the same time; the runs of others wait for them. */
const PRINCIPALS_AT_ONCE = 4;

/** The places in which code runs. Each principal has its own, so that no other one takes all of them. */
export class RunPlaces {
  private readonly all: Semaphore;
  private readonly own = new Map<string, Semaphore>();

  /** @param most runs of one principal at the same time */
  constructor(private readonly most: number) {
    this.all = new Semaphore(most * PRINCIPALS_AT_ONCE);
  }

  /**
   * Waits for a place. Resolves with the function that gives the place back, or with undefined when `signal` is aborted
   * before; undefined at once when too many runs of the principal wait already.
   */
  enter(principal: string, signal: AbortSignal): Promise<(() => void) | undefined> | undefined {
    const own = this.own.get(principal) ?? new Semaphore(this.most, this.most * WAITING_PER_RUN);
    const place = own.enter(signal);
    if (place === undefined) return undefined;
    this.own.set(principal, own);
    return this.entered(principal, own, place, signal);
  }

  private async entered(
    principal: string,
    own: Semaphore,
    place: Promise<boolean>,
    signal: AbortSignal,
  ): Promise<(() => void) | undefined> {
    const leaveOwn = (): void => {
      own.leave();
      this.forget(principal, own);
    };
    if (!(await place)) {
      this.forget(principal, own);
      return undefined;
    }
    if ((await this.all.enter(signal)) !== true) {
      leaveOwn();
      return undefined;
    }
    return () => {
      this.all.leave();
      leaveOwn();
    };
  }

  private forget(principal: string, own: Semaphore): void {
    if (own.isEmpty && this.own.get(principal) === own) this.own.delete(principal);
  }
}
