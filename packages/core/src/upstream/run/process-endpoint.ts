import { type ChannelEnd, PipeError, type StreamChannel } from '@mcpmux/wire';
import { errorCodeOf } from '../../base/errors.js';
import { serverEnvironment } from '../../process/environment.js';
import { checkLaunch } from '../../process/find-program.js';
import { ServerProcess } from '../../process/server-process.js';
import type { StopTimings } from '../../process/stop-ladder.js';
import type { ProcessConfig } from '../config/server-config.js';
import type { RunFailure } from '../link/run-failure.js';
import { serverChannel, type Endpoint, type LaunchingRun } from './endpoint.js';
import type { RunComponents } from './run-components.js';

/** From the end of a pipe to the conclusion that it was closed on purpose. */
const PIPE_END_GRACE_MS = 200;
/** What the operating system says when the other side has closed a pipe. */
const CLOSED = new Set(['EPIPE', 'ECONNRESET']);

/** What the launch of a process leaves to be undone. */
export interface LaunchTraces {
  /** Waits for a spawn slot. Throws when the run is over by then, so that nothing is spawned. */
  acquireSlot(): Promise<void>;
  /** From here on there may be a process: to be stopped when this has resolved. */
  spawning(endpoint: Promise<Endpoint>): void;
}

/** Starts the process of a server. Throws MuxError when there is none to start. */
export async function launchProcess(
  config: ProcessConfig,
  components: RunComponents,
  run: LaunchingRun,
  traces: LaunchTraces,
): Promise<Endpoint> {
  const { clock, limits, guard, spawn, environment, instanceId, logger } = components;
  const { server, runId, redact } = run;
  const marker = `${instanceId}:${runId}`;
  const env = serverEnvironment(environment, config.env ?? {}, marker, config.inheritEnv);
  const spec = { command: config.command, args: config.args ?? [], env, cwd: config.cwd };
  await checkLaunch(spec);
  await traces.acquireSlot();
  const started = ServerProcess.start(spec, {
    clock,
    guard,
    spawn,
    marker,
    redact,
    maxStderrLinesPerSecond: limits.maxStderrLinesPerSecond,
    onStderrLine: run.stderrLine,
    onExit: (exit) => {
      logger.log('info', 'a server process has exited', { server, run: runId, ...exit });
      run.exited(exit);
    },
  });
  const launching = started.then(
    (process) => new ProcessEndpoint(process, serverChannel(process.streams, components)),
  );
  traces.spawning(launching);
  const endpoint = await launching;
  logger.log('info', 'started a server process', { server, pid: endpoint.pid, run: runId });
  run.spawned(endpoint.pid);
  return endpoint;
}

/** {@link Endpoint} that is a process, spoken to over its pipes. */
class ProcessEndpoint implements Endpoint {
  /** An exit closes the pipes as well, and says more: it gets the moment it needs to arrive. */
  readonly endGraceMs = PIPE_END_GRACE_MS;

  constructor(
    private readonly process: ServerProcess,
    readonly channel: StreamChannel,
  ) {}

  get pid(): number {
    return this.process.pid;
  }

  get stderrTail(): readonly string[] {
    return this.process.stderr.tail;
  }

  /** A server that cannot be reached any more is over, even if its process is not. */
  failureOf({ error }: ChannelEnd): RunFailure | undefined {
    const { stderrTail } = this;
    if (this.process.exit !== undefined) return undefined;
    if (!(error instanceof PipeError)) return { kind: 'pipe-closed', pipe: 'stdout', stderrTail };
    const pipe = error.side === 'input' ? 'stdout' : 'stdin';
    const problem = CLOSED.has(errorCodeOf(error.cause) ?? '') ? undefined : error.message;
    return { kind: 'pipe-closed', pipe, ...(problem !== undefined && { problem }), stderrTail };
  }

  stop(timings: StopTimings): Promise<void> {
    return this.process.stop(timings);
  }
}
