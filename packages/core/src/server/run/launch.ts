import { waitAtMost } from '@mcpmux/kit';
import { serverEnvironment } from '../../process/environment.js';
import { checkLaunch } from '../../process/find-program.js';
import { ServerProcess } from '../../process/server-process.js';
import { ABORT_TIMINGS, type StopTimings } from '../../process/stop-ladder.js';
import {
  isRemote,
  isStreams,
  isUnusable,
  type AnyServerConfig,
  type ProcessConfig,
} from '../config/server-config.js';
import { OwnRequestError } from '../link/own-request.js';
import type { Endpoint, LaunchingRun } from './endpoint.js';
import { processEndpoint } from './process-endpoint.js';
import type { RunComponents } from './run-components.js';
import { streamEndpoint } from './stream-endpoint.js';

/** A starting server may keep its spawn slot for this long; a slow one must not keep the others waiting. */
const SPAWN_SLOT_MS = 1000;

/** The launch of one run: brings its endpoint up in time, and stops all that it has brought up. */
export class Launch {
  private endpoint: Endpoint | undefined;
  private starting: Promise<Endpoint | undefined> | undefined;
  /** The server is up, or will not come up: others may be spawned. */
  settled: () => void = () => undefined;

  constructor(
    private readonly config: AnyServerConfig,
    private readonly components: RunComponents,
    private readonly run: LaunchingRun,
  ) {}

  /**
   * Brings the endpoint up. A launch can hang: on a dead file system, in a sandbox. A late endpoint is ended.
   *
   * @throws OwnRequestError when it takes longer than `ms`
   */
  async inTime(ms: number): Promise<Endpoint> {
    const launching = this.begin();
    if (await waitAtMost(ms, launching, this.components.clock)) return launching;
    this.starting = undefined;
    void launching.then((endpoint) => endpoint.stop(ABORT_TIMINGS)).catch(() => undefined);
    throw new OwnRequestError('the process did not start in time', true);
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

  private async begin(): Promise<Endpoint> {
    this.endpoint = await this.launched();
    return this.endpoint;
  }

  private launched(): Promise<Endpoint> {
    const { config, components, run } = this;
    if (isStreams(config)) return streamEndpoint(config, components);
    // Nobody starts a run of it.
    if (isUnusable(config)) return Promise.reject(new Error(config.problem));
    if (!isRemote(config)) return this.startProcess(config);
    // Nobody without servers at urls pays for HTTP.
    return import('./url-endpoint.js').then(({ urlEndpoint }) => urlEndpoint(config, components, run));
  }

  /** Throws MuxError when there is no program to start. */
  private async startProcess({
    command,
    args = [],
    cwd,
    env = {},
    inheritEnv,
  }: ProcessConfig): Promise<Endpoint> {
    const { components } = this;
    const { clock, guard, spawn, limits, environment, instanceId, logger } = components;
    const { server, runId, mask, stderrLine, spawned, exited } = this.run;
    const marker = `${instanceId}:${runId}`;
    const spec = { command, args, env: serverEnvironment(environment, env, marker, inheritEnv), cwd };
    await checkLaunch(spec);
    await this.acquireSlot();
    const started = ServerProcess.start(spec, {
      clock,
      guard,
      spawn,
      marker,
      mask,
      maxStderrLinesPerSecond: limits.maxStderrLinesPerSecond,
      onStderrLine: stderrLine,
      onExit: (exit) => {
        logger.log('info', 'a server process has exited', { server, run: runId, ...exit });
        exited(exit);
      },
    });
    const launching = started.then((process) => processEndpoint(process, components));
    // From here on there may be a process.
    this.starting = launching.catch(() => undefined);
    const endpoint = await launching;
    logger.log('info', 'started a server process', { server, pid: endpoint.pid, run: runId });
    spawned(endpoint.pid);
    return endpoint;
  }

  /** Waits for a spawn slot, which is given back by itself after a while. */
  private async acquireSlot(): Promise<void> {
    const { spawnLimiter, clock } = this.components;
    const release = await spawnLimiter.acquire();
    const timer = clock.schedule(release, SPAWN_SLOT_MS);
    this.settled = () => {
      timer.cancel();
      release();
    };
    // Removed while it waited for its slot: nothing was spawned, so there is nothing to stop.
    if (this.run.isOver()) throw new Error('the run ended before its process was spawned');
  }
}
