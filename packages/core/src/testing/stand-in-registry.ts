import { ProcessGuard } from '../process/guard.js';
import { Fleet } from '../server/registry/fleet.js';
import type { SessionLayers } from '../server/registry/layers.js';
import { Registry } from '../server/registry/registry.js';
import type { Supervisor } from '../server/registry/supervisor.js';
import { NO_CLIENT } from '../server/dialect/client-profile.js';
import { ToolPins, type PinMode } from '../server/lists/tool-pins.js';
import { EraVerdicts } from '../server/config/era-verdicts.js';
import type { Upstream } from '../server/upstream.js';
import type { UpstreamComponents } from '../server/run/run-components.js';
import { DEFAULT_LIMITS, nullLogger, Semaphore } from '@mcpmux/kit';
import { ManualClock } from '@mcpmux/testing/manual-clock';
import { DIALECT } from './dialect.js';

/** What upstreams work with that start nothing. */
export function standInComponents(pinMode: PinMode): UpstreamComponents<Upstream> {
  return {
    clock: new ManualClock(),
    logger: nullLogger,
    limits: DEFAULT_LIMITS,
    guard: new ProcessGuard('stand-in', nullLogger, 'none'),
    spawn: () => {
      throw new Error('a stand-in starts no process');
    },
    spawnLimiter: new Semaphore(4),
    open: () => Promise.reject(new Error('no run is opened here')),
    firstEra: () => 'legacy',
    verdicts: new EraVerdicts(),
    clientProfile: () => NO_CLIENT,
    dialect: DIALECT,
    remoteTokens: () => Promise.reject(new Error('a stand-in reaches no server')),
    environment: {},
    instanceId: 'stand-in',
    pins: new ToolPins(pinMode),
    nextRunId: () => 1,
    inbox: { onNotification: () => undefined, onRequest: () => undefined },
  };
}

const FLEET = new Fleet(standInComponents('warn'), () => undefined);

/** The shared registry in which stand-ins are, unless the test says otherwise. */
export const SHARED = new Registry('shared', FLEET);

/** The registry of a session that sees those of the test's servers that are in its layers. */
export class StandInRegistry extends Registry {
  /** What starts servers. */
  readonly supervisors = new Map<Upstream, Supervisor>();

  constructor(
    id: string,
    private readonly upstreams: () => readonly Upstream[],
    around = SHARED,
  ) {
    super(id, FLEET, around);
  }

  override get isEmpty(): boolean {
    return false;
  }

  override list(): readonly Upstream[] {
    const seen = this.upstreams().filter(({ layer }) => this.sees(layer));
    return seen.toSorted((a, b) => a.layer.chain.length - b.layer.chain.length);
  }

  override allServers(): readonly Upstream[] {
    return this.upstreams();
  }

  override find(name: string): Upstream | undefined {
    return this.list().find((upstream) => upstream.name === name);
  }

  override supervisorOf(upstream: Upstream): Supervisor | undefined {
    return this.supervisors.get(upstream);
  }
}

/** The layers of a session that adds servers where it is told to. */
export function sessionLayers(session: number, own: Registry, addRegistry: Registry = SHARED): SessionLayers {
  return { session, own, addRegistry, close: () => Promise.resolve() };
}
