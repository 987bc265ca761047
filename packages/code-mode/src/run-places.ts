import { Semaphore } from '@mcpmux/kit';

/** Maximum number of waiting runs of one principal, as a multiple of its maximum number of parallel runs. */
const WAITING_PER_PARALLEL_RUN = 4;
/** Number of principals that can reach their maximum at the same time. Further runs wait. */
const PARALLEL_PRINCIPALS = 4;

/** Limits the parallel runs of code. Each principal has its own limit, so that no principal can take all places. */
export class RunPlaces {
  private readonly totalSemaphore: Semaphore;
  private readonly principalSemaphores = new Map<string, Semaphore>();

  /** @param most maximum number of parallel runs of one principal */
  constructor(private readonly most: number) {
    this.totalSemaphore = new Semaphore(most * PARALLEL_PRINCIPALS);
  }

  /**
   * Waits for a place. Resolves to a function that releases the place, or to undefined if `signal` is aborted first.
   * Returns undefined if too many runs of the principal are already waiting.
   */
  enter(principal: string, signal: AbortSignal): Promise<(() => void) | undefined> | undefined {
    const principalSemaphore =
      this.principalSemaphores.get(principal) ??
      new Semaphore(this.most, this.most * WAITING_PER_PARALLEL_RUN);
    const place = principalSemaphore.enter(signal);
    if (place === undefined) return undefined;
    this.principalSemaphores.set(principal, principalSemaphore);
    return this.waitForPlaces(principal, principalSemaphore, place, signal);
  }

  private async waitForPlaces(
    principal: string,
    principalSemaphore: Semaphore,
    place: Promise<boolean>,
    signal: AbortSignal,
  ): Promise<(() => void) | undefined> {
    const leavePrincipal = (): void => {
      principalSemaphore.leave();
      this.removeIfEmpty(principal, principalSemaphore);
    };
    if (!(await place)) {
      this.removeIfEmpty(principal, principalSemaphore);
      return undefined;
    }
    if ((await this.totalSemaphore.enter(signal)) !== true) {
      leavePrincipal();
      return undefined;
    }
    return () => {
      this.totalSemaphore.leave();
      leavePrincipal();
    };
  }

  private removeIfEmpty(principal: string, principalSemaphore: Semaphore): void {
    if (principalSemaphore.isEmpty && this.principalSemaphores.get(principal) === principalSemaphore)
      this.principalSemaphores.delete(principal);
  }
}
