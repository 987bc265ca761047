/** A host that is about to be killed: starts programs under a guard, writes `ready`, and waits. */
import { nullLogger } from '@mcpmux/kit';
import { serverEnvironment } from '../process/environment.js';
import { ProcessGuard } from '../process/guard.js';
import { spawnProcess } from '../process/server-process.js';

/** The first argument of this program, as JSON. */
export interface GuardedProgramInput {
  readonly instanceId: string;
  readonly groups: readonly {
    /** A program for Node.js. */
    readonly path: string;
    readonly marker: string;
    /** True if the group is released again as soon as it has been registered. */
    readonly isReleased: boolean;
  }[];
}

const { instanceId, groups }: GuardedProgramInput = JSON.parse(process.argv[2] ?? '');
const guard = new ProcessGuard(instanceId, nullLogger);

for (const { path, marker, isReleased } of groups) {
  const env = serverEnvironment(process.env, {}, marker);
  const { pid } = spawnProcess({ command: process.execPath, args: [path], env });
  if (pid === undefined) throw new Error(`${path} was not started`);
  guard.register(pid);
  if (isReleased) guard.unregister(pid);
}

// The children keep this process alive.
process.stdout.write('ready\n');
