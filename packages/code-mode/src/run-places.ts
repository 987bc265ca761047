import { Semaphore } from '@mcpmux/kit';

/** Limit on a principal's waiting runs, as a multiple of its limit on parallel runs. */
const WAITING_PER_PARALLEL_RUN = 4;
/** Limit on all parallel runs, as a multiple of the limit per principal. Runs above it wait. */
const PARALLEL_PRINCIPALS = 4;

/** Limits parallel runs of code, in total and per principal, so that one principal cannot occupy all places. */
export class RunPlaces {
  private readonly totalSemaphore: Semaphore;
  private readonly principalSemaphores = new Map<string, Semaphore>();

  /** @param most maximum number of parallel runs of one principal */
  constructor(private readonly most: number) {
    this.totalSemaphore = new Semaphore(most * PARALLEL_PRINCIPALS);
  }

  /**
   * Waits for a place. Resolves to a function that releases the place, or to undefined if `signal` aborts first.
   * Returns undefined immediately if the principal already has too many waiting runs.
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
