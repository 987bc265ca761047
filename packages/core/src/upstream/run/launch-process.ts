import type { Clock } from '../../base/clock.js';
import type { Semaphore } from '../../base/semaphore.js';
import { serverEnvironment } from '../../process/environment.js';
import { checkLaunch } from '../../process/find-program.js';
import { ServerProcess } from '../../process/server-process.js';
import type { ProcessConfig } from '../config/server-config.js';
import { channelLimits } from './channel-limits.js';
import type { LaunchingRun, LaunchTraces } from './launching-run.js';
import { ProcessEndpoint } from './process-endpoint.js';
import type { RunComponents } from './run-components.js';

/** A starting server may keep its spawn slot for this long; a slow one must not keep the others waiting. */
const SPAWN_SLOT_MS = 1000;

/** Starts the process of a server. Throws MuxError when there is none to start. */
export async function launchProcess(
  config: ProcessConfig,
  components: RunComponents,
  run: LaunchingRun,
  traces: LaunchTraces,
): Promise<ProcessEndpoint> {
  const { clock, limits, guard, spawn, environment, instanceId, spawnLimiter, logger } = components;
  const { server, runId, redact } = run;
  const marker = `${instanceId}:${runId}`;
  const env = serverEnvironment(environment, config.env ?? {}, marker, config.inheritEnv);
  const spec = { command: config.command, args: config.args ?? [], env, cwd: config.cwd };
  await checkLaunch(spec);
  traces.slotAcquired(await acquireSlot(spawnLimiter, clock));
  const started = ServerProcess.start(spec, {
    clock,
    guard,
    spawn,
    marker,
    redact,
    maxStderrLinesPerSecond: limits.maxStderrLinesPerSecond,
    onStderrLine: (line) => run.stderrLine(line),
    onExit: (exit) => {
      logger.log('info', 'a server process has exited', { server, run: runId, ...exit });
      run.exited(exit);
    },
  });
  const launching = started.then((process) => new ProcessEndpoint(process, channelLimits(limits, clock)));
  traces.spawning(launching);
  const endpoint = await launching;
  logger.log('info', 'started a server process', { server, pid: endpoint.pid, run: runId });
  run.spawned(endpoint.pid);
  return endpoint;
}

/** Resolves to what gives the slot back, which happens by itself after a while. */
async function acquireSlot(spawnLimiter: Semaphore, clock: Clock): Promise<() => void> {
  const release = await spawnLimiter.acquire();
  const timer = clock.schedule(release, SPAWN_SLOT_MS);
  return () => {
    timer.cancel();
    release();
  };
}
