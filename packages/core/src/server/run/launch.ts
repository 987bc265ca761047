import { waitAtMost, errorCodeOf, MuxError } from '@mcpmux/kit';
import { findProgram } from '@mcpmux/programs';
import type { ClientPolicy, Confined, SandboxSettings } from '@mcpmux/sandbox';
import { PipeError } from '@mcpmux/wire';
import { serverEnvironment } from '../../process/environment.js';
import type { ProcessSpec } from '../../process/process-spec.js';
import { ServerProcess } from '../../process/server-process.js';
import { ABORT_TIMINGS, type StopTimings } from '../../process/stop-ladder.js';
import {
  isRemote,
  isStreams,
  isUnusable,
  type AnyServerConfig,
  type ProcessConfig,
} from '../config/server-config.js';
import { withCommandOutputs } from '../config/config-secrets.js';
import { OwnRequestError } from '../link/own-request.js';
import { type Endpoint, type LaunchingRun, serverChannel, streamEndpoint } from './endpoint.js';
import type { RunComponents } from './run-components.js';

/** How long a starting server may occupy its spawn slot, in milliseconds. Slow servers must not delay others. */
const SPAWN_SLOT_TIMEOUT_MS = 1000;

/** The launch of one run. Starts the endpoint within a time limit, and can stop everything that it has started. */
export class Launch {
  /** Describes the actions that the process's sandbox has denied. Undefined without a sandbox. */
  explainRefusals: Confined['explain'] | undefined;
  private endpoint: Endpoint | undefined;
  private endpointStart: Promise<Endpoint | undefined> | undefined;
  /** Aborted when the launch is stopped. */
  private readonly stopController = new AbortController();
  /** Frees the spawn slot. Called when the server runs or its start has failed. */
  freeSlot: () => void = () => undefined;

  constructor(
    private readonly config: AnyServerConfig,
    private readonly components: RunComponents,
    private readonly run: LaunchingRun,
  ) {}

  /**
   * Starts the endpoint. A launch can hang, for example on an unresponsive file system or in a sandbox, so an endpoint
   * that starts too late is stopped.
   *
   * @throws OwnRequestError if the launch takes longer than `ms`
   */
  async startWithin(ms: number): Promise<Endpoint> {
    const launching = this.launchAndSetEndpoint();
    if (await waitAtMost(ms, launching, this.components.clock)) return launching;
    this.endpointStart = undefined;
    void launching.then((endpoint) => endpoint.stop(ABORT_TIMINGS)).catch(() => undefined);
    throw new OwnRequestError('the process did not start in time', true);
  }

  /** Stops the endpoint. Resolves when it has ended completely. */
  async stop(timings: StopTimings): Promise<void> {
    this.stopController.abort();
    // A process may already exist although `endpoint` is not set yet.
    const endpoint = this.endpoint ?? (await this.endpointStart);
    await endpoint?.stop(timings);
  }

  get stderrTail(): readonly string[] {
    return this.endpoint?.stderrTail ?? [];
  }

  private async launchAndSetEndpoint(): Promise<Endpoint> {
    this.endpoint = await this.launchEndpoint();
    return this.endpoint;
  }

  private launchEndpoint(config = this.config): Promise<Endpoint> {
    const { components, run } = this;
    if (config.commands !== undefined) return this.launchWithOutput(config.commands);
    if (isStreams(config)) return streamEndpoint(config, components);
    // A server with an unusable config never starts a run.
    if (isUnusable(config)) return Promise.reject(new Error(config.problem));
    if (!isRemote(config)) return this.startProcess(config);
    // The HTTP code is loaded only for remote servers.
    return import('./url-endpoint.js').then(({ urlEndpoint }) => urlEndpoint(config, components, run));
  }

  /**
   * Runs the config's commands one after another, then starts the endpoint with their outputs inserted into the config.
   */
  private async launchWithOutput(commands: Readonly<Record<string, readonly string[]>>): Promise<Endpoint> {
    const { config, run, components } = this;
    const { commandValue, guard } = components;
    if (commandValue === undefined)
      throw new MuxError(
        'SPAWN_FAILED',
        'it has commands for values, and the host of this mcpmux runs none.',
      );
    const registerGroup = (pid: number): (() => void) => {
      guard.register(pid);
      return () => guard.unregister(pid);
    };
    const outputsByPlaceholder = new Map<string, string>();
    const start = { server: run.server, started: registerGroup, signal: this.stopController.signal };
    for (const [text, command] of Object.entries(commands)) {
      await this.acquireSlot();
      const value = await commandValue(command, start);
      this.freeSlot();
      run.addSecret(value);
      outputsByPlaceholder.set(text, value);
    }
    if (run.isOver()) throw new Error('the run ended before it was started');
    return this.launchEndpoint(withCommandOutputs(config, outputsByPlaceholder));
  }

  /**
   * Starts the process.
   *
   * @throws MuxError if the program cannot be started
   */
  private async startProcess({
    command,
    args = [],
    cwd,
    env = {},
    inheritEnv,
    sandbox,
  }: ProcessConfig): Promise<Endpoint> {
    const { components } = this;
    const { clock, guard, spawn, limits, environment, instanceId, logger } = components;
    const { server, runId, mask, report, onProcessExit, followedSandbox } = this.run;
    const marker = `${instanceId}:${runId}`;
    const inheritance = inheritEnv ?? (sandbox === undefined ? 'all' : 'safe');
    const serverEnv = serverEnvironment(environment, env, marker, inheritance);
    const spec = await findProgram({ command, args, env: serverEnv, cwd });
    await this.acquireSlot();
    // Confined only now, because a path checked earlier could become a link while the start waits for its slot.
    const clientSandbox = followedSandbox?.next;
    const confined = sandbox && (await this.confine(spec, sandbox, clientSandbox?.policy));
    const confinement = { confinedBy: confined?.by, within: clientSandbox?.key };
    const processStart = ServerProcess.start(confined?.program ?? spec, {
      clock,
      guard,
      spawn,
      marker,
      mask,
      isSupervisor: confined?.isWatched,
      maxStderrLinesPerSecond: limits.maxStderrLinesPerSecond,
      onStderrLine: (line) => report({ kind: 'stderr', line }),
      onExit: (exit) => {
        logger.log('info', 'a server process has exited', { server, run: runId, ...exit });
        onProcessExit(exit);
      },
    });
    const launching = processStart.then((process) => processEndpoint(process, components, confinement));
    // From here on, a process may exist.
    this.endpointStart = launching.catch(() => undefined);
    const endpoint = await launching;
    const sandboxField = confined && { sandbox: confined.by };
    logger.log('info', 'started a server process', {
      server,
      pid: endpoint.pid,
      run: runId,
      ...sandboxField,
    });
    report({ kind: 'spawned', pid: endpoint.pid });
    return endpoint;
  }

  /**
   * Returns the program that runs the server in its sandbox.
   *
   * @throws Error if the server cannot be confined and therefore must not start
   */
  private async confine(
    spec: ProcessSpec,
    rights: SandboxSettings,
    policy?: ClientPolicy,
  ): Promise<Confined> {
    const { sandbox } = this.components;
    if (sandbox === undefined)
      throw new MuxError('SPAWN_FAILED', 'it has a sandbox, and the host of this mcpmux provides none.');
    const confined = await sandbox.confine(spec, rights, policy);
    if (confined.policy !== policy)
      throw new MuxError(
        'SPAWN_FAILED',
        'it follows its client, and the sandbox of this host cannot do that.',
      );
    this.explainRefusals = confined.explain;
    return confined;
  }

  /** Waits for a spawn slot, which is freed automatically after a time limit. */
  private async acquireSlot(): Promise<void> {
    const { spawnLimiter, clock } = this.components;
    const release = await spawnLimiter.acquire();
    const timer = clock.schedule(release, SPAWN_SLOT_TIMEOUT_MS);
    this.freeSlot = () => {
      timer.cancel();
      release();
    };
    // The run ended while it was waiting for its slot. There is nothing to stop, because no process has been spawned.
    if (this.run.isOver()) throw new Error('the run ended before its process was spawned');
  }
}

/** How long mcpmux waits for the process to exit after a pipe has ended, in milliseconds. */
const PIPE_END_GRACE_MS = 200;
/** The operating system's error codes for a pipe closed by the peer. */
const CLOSED_PIPE_CODES = new Set(['EPIPE', 'ECONNRESET']);

/** Returns a process's {@link Endpoint}, which uses the process's pipes. */
function processEndpoint(
  server: ServerProcess,
  components: RunComponents,
  confinement: Pick<Endpoint, 'confinedBy' | 'within'>,
): Endpoint & { readonly pid: number } {
  return {
    ...confinement,
    pid: server.pid,
    channel: serverChannel(server.streams, components),
    get stderrTail() {
      return server.stderr.excerpt;
    },
    // An exit closes the pipes too and explains the failure better, so mcpmux waits for one briefly.
    endGraceMs: PIPE_END_GRACE_MS,
    // A server that cannot be reached ends the run, even if its process is still running.
    failureOf: ({ error }) => {
      const stderrTail = server.stderr.excerpt;
      if (server.exit !== undefined) return undefined;
      if (!(error instanceof PipeError)) return { kind: 'pipe-closed', pipe: 'stdout', stderrTail };
      const pipe = error.side === 'input' ? 'stdout' : 'stdin';
      const problem = CLOSED_PIPE_CODES.has(errorCodeOf(error.cause) ?? '') ? undefined : error.message;
      return { kind: 'pipe-closed', pipe, ...(problem !== undefined && { problem }), stderrTail };
    },
    stop: (timings) => server.stop(timings),
  };
}
