import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { Socket } from 'node:net';

import type { Logger } from '@mcpmux/kit';
import { windowsGuard } from '@mcpmux/programs';

/**
 * The script that the guard runs in `/bin/sh`. `$1` is the instance id, with which the marker of each process of this
 * instance starts.
 *
 * The script reads `+PGID` and `-PGID` lines until its input ends, which happens when mcpmux ends, whatever the cause.
 * If no group is registered at that point, the script exits. Otherwise it ends every registered group and, if /proc
 * exists, every process that carries the marker and has left its group.
 *
 * Unlike shorter forms, `kill -s NAME -- -PGID` also works in dash.
 */
const GUARD_SCRIPT = `
trap '' HUP INT TERM
groups=' '
while IFS= read -r line; do
  group=\${line#?}
  case $line in
    +*) groups="$groups$group " ;;
    -*) case $groups in *" $group "*) groups="\${groups%%" $group "*} \${groups#*" $group "}" ;; esac ;;
  esac
done
[ "$groups" = ' ' ] && exit 0
end() { for group in $groups; do kill -s "$1" -- "-$group" 2>/dev/null; done; }
end TERM
sleep 0.3
end KILL
for file in $(grep -ls "MCPMUX_CHILD=$1:" /proc/[0-9]*/environ 2>/dev/null); do
  pid=\${file#/proc/}
  kill -s KILL "\${pid%/environ}" 2>/dev/null
done
`;

/** The command, environment and working directory of a guard process. */
export interface GuardProgram {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly cwd?: string;
}

/** Returns the guard's program for a platform: a shell script, or a Node.js script on Windows. */
export function guardProgram(instanceId: string, platform: NodeJS.Platform = process.platform): GuardProgram {
  if (platform === 'win32') return windowsGuard(process.env);
  const args = ['-c', GUARD_SCRIPT, 'mcpmux-guard', instanceId];
  return { command: '/bin/sh', args, env: { PATH: '/usr/bin:/bin' }, cwd: '/' };
}

/**
 * Ends mcpmux's process groups when mcpmux itself cannot: after SIGKILL, an out-of-memory kill or a crash.
 *
 * The guard is a shell in its own session, or a Node.js process on Windows. It reads from a pipe that the kernel closes
 * when mcpmux ends, whatever the cause. The guard starts with the first server.
 */
export class ProcessGuard {
  private guardProcess: ChildProcess | undefined;

  constructor(
    instanceId: string,
    private readonly logger: Logger,
    private readonly program: GuardProgram | 'none' = guardProgram(instanceId),
  ) {}

  /** Registers the process group `pgid`, so that the guard ends it if mcpmux ends. The first call starts the guard. */
  register(pgid: number): void {
    this.guardProcess ??= this.spawnGuard();
    this.write(`+${pgid}\n`);
  }

  /**
   * Unregisters a group that has ended. Call it immediately, because the operating system may soon reuse the id. On
   * Windows, which has no groups, the guard then ends the descendants that the leader left behind.
   */
  unregister(pgid: number): void {
    this.write(`-${pgid}\n`);
  }

  /** Lets the guard exit. Call it when no group remains. */
  close(): void {
    this.guardProcess?.stdin?.end();
    this.guardProcess = undefined;
  }

  private write(line: string): void {
    if (this.guardProcess?.stdin?.writable) this.guardProcess.stdin.write(line);
  }

  private spawnGuard(): ChildProcess | undefined {
    if (this.program === 'none') return undefined;
    const { command, args, ...options } = this.program;
    const stdio: SpawnOptions['stdio'] = ['pipe', 'ignore', 'ignore'];
    // On Windows, `detached` also keeps the guard out of mcpmux's job object, whose processes end with mcpmux.
    const guardProcess = spawn(command, args, { ...options, detached: true, windowsHide: true, stdio });
    const warn = (why: string): void => {
      if (this.guardProcess === guardProcess) this.logger.log('warn', `the process guard has ended (${why})`);
    };
    guardProcess.on('error', (error) => warn(error.message));
    guardProcess.on('exit', (code, signal) => warn(`exit ${code ?? signal}`));
    guardProcess.stdin?.on('error', (error: Error) => warn(error.message));
    // The guard must not keep mcpmux from exiting.
    guardProcess.unref();
    if (guardProcess.stdin instanceof Socket) guardProcess.stdin.unref();
    return guardProcess;
  }
}
