import { waitAtMost, type Clock } from '../../base/clock.js';
import { ABORT_TIMINGS, type StopTimings } from '../../process/stop-ladder.js';
import { OwnRequestError } from '../link/own-request.js';
import type { Endpoint } from './endpoint.js';
import type { Launcher, LaunchingRun, LaunchTraces } from './launching-run.js';

/** The launch of one run: brings its endpoint up in time, and stops all that it has brought up. */
export class Launch implements LaunchTraces {
  private endpoint: Endpoint | undefined;
  private starting: Promise<Endpoint | undefined> | undefined;
  private releaseSlot: () => void = () => undefined;

  constructor(
    private readonly launcher: Launcher,
    private readonly run: LaunchingRun,
    private readonly clock: Clock,
  ) {}

  /**
   * Brings the endpoint up. A launch can hang: on a dead file system, in a sandbox. What it brings too late is ended.
   *
   * @throws OwnRequestError when it takes longer than `ms`
   */
  async inTime(ms: number): Promise<Endpoint> {
    const launching = this.begin();
    if (await waitAtMost(ms, launching, this.clock)) return launching;
    this.starting = undefined;
    void launching.then((endpoint) => endpoint.stop(ABORT_TIMINGS)).catch(() => undefined);
    throw new OwnRequestError('the process was not there in time', true);
  }

  /** The server is up, or will not come up: others may be spawned. */
  settled(): void {
    this.releaseSlot();
  }

  /** Resolves when nothing of it is left. */
  async stop(timings: StopTimings): Promise<void> {
    // Spawned at this very moment, a process is there before it is in our hands.
    const endpoint = this.endpoint ?? (await this.starting);
    await endpoint?.stop(timings);
  }

  get stderrTail(): readonly string[] {
    return this.endpoint?.stderrTail ?? [];
  }

  slotAcquired(release: () => void): void {
    this.releaseSlot = release;
    // Removed while it waited for its slot: nothing was spawned, so there is nothing to stop.
    if (this.run.isOver()) throw new Error('the run ended before its process was spawned');
  }

  spawning(endpoint: Promise<Endpoint>): void {
    this.starting = endpoint.catch(() => undefined);
  }

  private async begin(): Promise<Endpoint> {
    this.endpoint = await this.launcher(this.run, this);
    return this.endpoint;
  }
}
