import { randomUUID } from 'node:crypto';

import { DEFAULT_LIMITS, type AllLimits, nullLogger, Semaphore, systemClock } from '@mcpmux/kit';
import { ErrorCode, errorLine } from '@mcpmux/wire';
import { ProcessGuard } from '../process/guard.js';
import { spawnProcess } from '../process/server-process.js';
import { NO_CLIENT } from '../server/dialect/client-profile.js';
import { createOpenRun } from '../server/dialect/modern/opening.js';
import { EraVerdicts } from '../server/config/era-verdicts.js';
import { ToolPins } from '../server/lists/tool-pins.js';
import type { Upstream } from '../server/upstream.js';
import type { UpstreamComponents } from '../server/run/run-components.js';
import type { FakeSpawner } from './fake-server.js';
import { DIALECT } from './dialect.js';
import { RecordingLogger } from './recording-logger.js';

/** What a test may replace of {@link UpstreamComponents}. */
export interface UpstreamRigInit extends Partial<Omit<UpstreamComponents<Upstream>, 'limits'>> {
  readonly limits?: Partial<AllLimits>;
}

/** What upstreams work with, and how to look at it. */
export interface UpstreamRig extends Disposable {
  readonly components: UpstreamComponents<Upstream>;
  readonly logger: RecordingLogger;
}

/** What upstreams work with, over real processes; those that are left at the end of the scope are ended. */
export function upstreamRig({ limits, ...replaced }: UpstreamRigInit = {}): UpstreamRig {
  const instanceId = randomUUID();
  const guard = new ProcessGuard(instanceId, nullLogger);
  const logger = new RecordingLogger();
  const all = { ...DEFAULT_LIMITS, ...limits };
  const { clock = systemClock } = replaced;
  let runs = 0;
  const components: UpstreamComponents<Upstream> = {
    clock,
    logger,
    limits: all,
    guard,
    spawn: spawnProcess,
    spawnLimiter: new Semaphore(4),
    clientProfile: () => NO_CLIENT,
    dialect: DIALECT,
    open: createOpenRun({ name: 'mcpmux', version: '0.0.0' }, { clock, limits: all }),
    firstEra: () => 'legacy',
    verdicts: new EraVerdicts(),
    remoteTokens: () => Promise.reject(new Error('no servers at urls here')),
    environment: process.env,
    instanceId,
    pins: new ToolPins('warn'),
    nextRunId: () => (runs += 1),
    inbox: {
      onNotification: () => undefined,
      onRequest: ({ connection, message }, id) => {
        const problem = `nobody answers ${message.method}`;
        connection.send(errorLine(id, { code: ErrorCode.MethodNotFound, message: problem }));
      },
    },
    ...replaced,
  };
  return { components, logger, [Symbol.dispose]: () => guard.close() };
}

/** {@link upstreamRig} over fake servers: no process is started, not even a guard. */
export function fakeUpstreamRig(spawner: FakeSpawner, init: UpstreamRigInit = {}): UpstreamRig {
  const guard = new ProcessGuard('fake', nullLogger, 'none');
  return upstreamRig({ spawn: spawner.spawn, guard, ...init });
}
