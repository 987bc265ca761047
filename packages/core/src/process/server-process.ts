import {
  spawn,
  type ChildProcessWithoutNullStreams,
  type SpawnOptionsWithoutStdio,
} from 'node:child_process';

import { type Clock, errorCodeOf, messageOf, MuxError, type TextMask } from '@mcpmux/kit';

import { assertFreeDescriptors } from './descriptor-reserve.js';
import type { ProcessGuard } from './guard.js';
import { LineRateLimiter } from './line-rate.js';
import { killMarkedProcesses } from './marker-sweep.js';
import { processGroup, supervisedGroup } from './process-group.js';
import type { ProcessExit, ProcessSpec } from './process-spec.js';
import { whenPipesAreRead } from './pipes-after-exit.js';
import { StderrLines } from './stderr-lines.js';
import { StopLadder, type StopTimings } from './stop-ladder.js';

/** The maximum number of concurrent server starts. Each spawn blocks the event loop for a moment. */
export const MAX_CONCURRENT_SPAWNS = 4;

/** Starts a process. A host can replace this function to sandbox servers. */
export type SpawnProcess = (spec: ProcessSpec) => ChildProcessWithoutNullStreams;

/** The dependencies of a {@link ServerProcess}. */
export interface ServerProcessComponents {
  readonly clock: Clock;
  readonly guard: ProcessGuard;
  readonly spawn: SpawnProcess;
  /** The value of the marker variable in the process's environment. */
  readonly marker: string;
  /** True if the process is a supervisor such as bubblewrap, and the server's own processes end with it. */
  readonly isSupervisor?: boolean | undefined;
  /** Redacts the server's secrets in its stderr output. */
  readonly mask?: TextMask;
  /** The maximum number of stderr lines reported per second. The excerpt is not limited by it. */
  readonly maxStderrLinesPerSecond?: number;
  readonly onStderrLine: (line: string) => void;
  /**
   * Called once, when the leader has exited and its pipes have been read to the end. If the pipes stay open, called 250
   * ms after the exit, or up to a second later while bytes still arrive.
   */
  readonly onExit: (exit: ProcessExit) => void;
}

/** Starts servers with pipes for all three streams. Except on Windows, each server leads its own process group. */
export const spawnProcess: SpawnProcess = (spec) => {
  assertFreeDescriptors();
  return spawn(spec.command, spec.args, spawnOptions(spec));
};

/** Returns the spawn options for a platform. */
export function spawnOptions(
  { env, cwd, windowsVerbatimArguments }: Omit<ProcessSpec, 'command' | 'args'>,
  platform: NodeJS.Platform = process.platform,
): SpawnOptionsWithoutStdio & { readonly stdio: 'pipe' } {
  return {
    cwd,
    env,
    shell: false,
    // With a separate group, one signal reaches the whole tree, and Ctrl-C in the terminal reaches mcpmux, not the
    // server. Windows has no groups, and a detached process there gets a console window.
    detached: platform !== 'win32',
    windowsHide: true,
    windowsVerbatimArguments,
    stdio: 'pipe',
  };
}

/** One run of a server's process and its descendants, started once and stopped once. */
export class ServerProcess {
  readonly pid: number;
  readonly stderr: StderrLines;
  /** The leader's exit status; undefined while the leader runs. */
  exit: ProcessExit | undefined;
  private readonly stderrLimiter: LineRateLimiter;
  private readonly stopLadder: StopLadder;
  private readonly cleanUpPromise: Promise<void>;

  private constructor(
    private readonly child: ChildProcessWithoutNullStreams,
    pid: number,
    private readonly components: ServerProcessComponents,
  ) {
    this.pid = pid;
    const { maxStderrLinesPerSecond = Infinity, clock, onStderrLine, mask, isSupervisor } = components;
    this.stderrLimiter = new LineRateLimiter(maxStderrLinesPerSecond, clock, onStderrLine);
    this.stderr = new StderrLines((line) => this.stderrLimiter.push(line), mask);
    const group = isSupervisor === true ? supervisedGroup(pid) : processGroup(pid);
    const effects = { ...group, closeStdin: () => void child.stdin.end() };
    this.stopLadder = new StopLadder(effects, clock);
    this.cleanUpPromise = this.cleanUp();
  }

  /**
   * Starts the process.
   *
   * @throws MuxError SPAWN_FAILED if the operating system cannot start it
   */
  static async start(spec: ProcessSpec, components: ServerProcessComponents): Promise<ServerProcess> {
    const child = trySpawn(spec, components.spawn);
    // Add this listener first: an `error` event without a listener throws. After EMFILE, the streams may be undefined.
    const startFailure = new Promise<never>((_, reject) => {
      child.on('error', (error) => reject(spawnError(spec, error)));
    });
    if (child.pid === undefined) return startFailure;
    startFailure.catch(() => undefined);
    const serverProcess = new ServerProcess(child, child.pid, components);
    components.guard.register(child.pid);
    serverProcess.addListeners();
    return serverProcess;
  }

  /** Named from mcpmux's side: `input` is the server's stdout, and `output` is its stdin. */
  get streams(): {
    input: ChildProcessWithoutNullStreams['stdout'];
    output: ChildProcessWithoutNullStreams['stdin'];
  } {
    return { input: this.child.stdout, output: this.child.stdin };
  }

  /**
   * Ends the process and its descendants. Resolves when no process remains. Later calls can only shorten the timings.
   */
  async stop(timings: StopTimings): Promise<void> {
    await this.stopLadder.stop(timings);
    await this.cleanUpPromise;
  }

  private addListeners(): void {
    const { child } = this;
    child.stderr.on('data', (chunk: Buffer) => this.stderr.push(chunk));
    child.stderr.on('error', () => undefined);
    child.on('exit', (exitCode, signal) => this.handleExit({ exitCode, signal }));
  }

  private async cleanUp(): Promise<void> {
    const { guard, marker } = this.components;
    await this.stopLadder.endPromise;
    guard.unregister(this.pid);
    await killMarkedProcesses(marker);
  }

  /** Runs on `exit`, because `close` comes only after every process that inherited the pipes has closed them. */
  private handleExit(exit: ProcessExit): void {
    const { child, components } = this;
    this.exit = exit;
    this.stopLadder.handleLeaderExit();
    whenPipesAreRead(child, components.clock, () => {
      for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
      this.stderr.end();
      this.stderrLimiter.reportDropped();
      components.onExit(exit);
    });
    // The pipe may still contain responses, and a paused stream never ends. At most one pipe buffer is left to read.
    child.stdout.on('pause', () => queueMicrotask(() => child.stdout.resume()));
    child.stdout.resume();
  }
}

function trySpawn(spec: ProcessSpec, spawnProgram: SpawnProcess): ChildProcessWithoutNullStreams {
  try {
    return spawnProgram(spec);
  } catch (error) {
    throw spawnError(spec, error);
  }
}

function spawnError({ command }: ProcessSpec, error: unknown): MuxError {
  const code = errorCodeOf(error);
  // The message from Node.js quotes the rejected value, which may be a secret.
  const message = messageOf(error).replace(/ Received .*$/s, '');
  return new MuxError(
    'SPAWN_FAILED',
    `command ${JSON.stringify(command)} could not be started: ${code === undefined ? '' : `${code} `}${message}`,
    { cause: error },
  );
}
