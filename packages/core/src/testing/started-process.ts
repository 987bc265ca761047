import { randomUUID } from 'node:crypto';

import { nullLogger, systemClock } from '@mcpmux/kit';

import { serverEnvironment } from '../process/environment.js';
import { ProcessGuard } from '../process/guard.js';
import { processGroup } from '../process/process-group.js';
import type { ProcessExit, ProcessSpec } from '../process/process-spec.js';
import { ServerProcess, spawnProcess, type ServerProcessComponents } from '../process/server-process.js';

/** A server's process that ends with its scope. */
export interface StartedProcess extends AsyncDisposable {
  readonly process: ServerProcess;
  /** The lines of its stderr so far. */
  readonly stderr: readonly string[];
  /** What was reported of its end so far: never more than one. */
  readonly exits: readonly ProcessExit[];
  /** Resolves when its end is reported. */
  readonly exited: Promise<ProcessExit>;
}

/** What a test may say about the process; the environment is merged over that of the test. */
export interface StartInit extends Pick<ProcessSpec, 'command' | 'args' | 'cwd'> {
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts a process as an upstream does: in its own group, marked, guarded. */
export async function startProcess(
  { env = {}, ...spec }: StartInit,
  replaced: Partial<ServerProcessComponents> = {},
): Promise<StartedProcess> {
  const instanceId = randomUUID();
  const marker = `${instanceId}:1`;
  const guard = new ProcessGuard(instanceId, nullLogger);
  const stderr: string[] = [];
  const exits: ProcessExit[] = [];
  let resolveExited: (exit: ProcessExit) => void = () => undefined;
  const exited = new Promise<ProcessExit>((resolve) => (resolveExited = resolve));
  const started = await ServerProcess.start(
    { ...spec, env: serverEnvironment(process.env, env, marker) },
    {
      clock: systemClock,
      guard,
      spawn: spawnProcess,
      marker,
      onStderrLine: (line) => stderr.push(line),
      onExit: (exit) => {
        exits.push(exit);
        resolveExited(exit);
      },
      ...replaced,
    },
  );
  const end = (): Promise<void> => {
    if (started.exit === undefined) processGroup(started.pid).signal('SIGKILL');
    // Whatever is still there, the guard ends: it does not depend on the clock of the test.
    guard.close();
    return Promise.resolve();
  };
  return { process: started, stderr, exits, exited, [Symbol.asyncDispose]: end };
}
