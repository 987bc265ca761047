import type { Clock } from '../../base/clock.js';
import type { Limits } from '../../base/limits.js';
import { serverEnvironment } from '../../process/environment.js';
import { checkLaunch } from '../../process/find-program.js';
import type { ProcessGuard } from '../../process/guard.js';
import type { ProcessExit } from '../../process/process-spec.js';
import { ServerProcess, type SpawnProcess } from '../../process/server-process.js';
import { channelLimits } from './channel-limits.js';
import { ProcessEndpoint } from './process-endpoint.js';
import type { ProcessConfig } from '../config/server-config.js';

/** What {@link launchProcess} works with. */
export interface LaunchProcessComponents {
  readonly clock: Clock;
  readonly limits: Limits;
  readonly guard: ProcessGuard;
  readonly spawn: SpawnProcess;
  /** The environment that servers inherit. */
  readonly environment: NodeJS.ProcessEnv;
}

/** How one launch differs from others. */
export interface LaunchProcessInit {
  /** Carried by the process and its descendants. */
  readonly marker: string;
  readonly redact: (text: string) => string;
  /** Resolves when it is this server's turn. Rejects when nothing is to be spawned any more. */
  readonly turn: () => Promise<void>;
  readonly onStderrLine: (line: string) => void;
  readonly onExit: (exit: ProcessExit) => void;
  /** From here on there may be a process: to be stopped when this has resolved. */
  readonly spawning: (peer: Promise<ProcessEndpoint>) => void;
}

/** Starts the process of a server. Throws MuxError when there is none to start. */
export async function launchProcess(
  config: ProcessConfig,
  { clock, limits, guard, spawn, environment }: LaunchProcessComponents,
  { marker, redact, turn, onStderrLine, onExit, spawning }: LaunchProcessInit,
): Promise<ProcessEndpoint> {
  const env = serverEnvironment(environment, config.env ?? {}, marker, config.inheritEnv);
  const spec = { command: config.command, args: config.args ?? [], env, cwd: config.cwd };
  await checkLaunch(spec);
  await turn();
  const { maxStderrLinesPerSecond } = limits;
  const started = ServerProcess.start(spec, {
    clock,
    guard,
    spawn,
    marker,
    redact,
    maxStderrLinesPerSecond,
    onStderrLine,
    onExit,
  });
  const peer = started.then((process) => new ProcessEndpoint(process, channelLimits(limits, clock)));
  spawning(peer);
  return peer;
}
