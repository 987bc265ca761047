import { Semaphore } from '@mcpmux/kit';

/** Maximum number of waiting runs of one principal, as a multiple of its maximum of parallel runs. */
const WAITING_PER_RUN = 4;
/** Number of principals that can use their full number of runs at once. The runs of further principals wait. */
const PRINCIPALS_AT_ONCE = 4;

/** The places for runs of code. Each principal has its own limit, so that no principal can take all places. */
export class RunPlaces {
  private readonly total: Semaphore;
  private readonly byPrincipal = new Map<string, Semaphore>();

  /** @param most maximum parallel runs of one principal */
  constructor(private readonly most: number) {
    this.total = new Semaphore(most * PRINCIPALS_AT_ONCE);
  }

  /**
   * Waits for a place. Resolves to a function that releases the place, or to undefined if `signal` is aborted first.
   * Returns undefined if too many runs of the principal are already waiting.
   */
  enter(principal: string, signal: AbortSignal): Promise<(() => void) | undefined> | undefined {
    const own = this.byPrincipal.get(principal) ?? new Semaphore(this.most, this.most * WAITING_PER_RUN);
    const place = own.enter(signal);
    if (place === undefined) return undefined;
    this.byPrincipal.set(principal, own);
    return this.waitForBoth(principal, own, place, signal);
  }

  private async waitForBoth(
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
    if ((await this.total.enter(signal)) !== true) {
      leaveOwn();
      return undefined;
    }
    return () => {
      this.total.leave();
      leaveOwn();
    };
  }

  private forget(principal: string, own: Semaphore): void {
    if (own.isEmpty && this.byPrincipal.get(principal) === own) this.byPrincipal.delete(principal);
  }
}
