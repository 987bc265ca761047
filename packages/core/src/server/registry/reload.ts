import { isSessionTemplate } from '../config/isolation.js';
import type { Reread } from '../lists/registration.js';
import type { Upstream } from '../upstream.js';
import { HOST, type Actor } from './actor.js';
import type { Fleet } from './fleet.js';
import { notSwapped, running } from './registry-outcomes.js';

/** How a server is reloaded. */
export interface ReloadOptions {
  /** True approves the tools after the reload: see {@link ToolPins}. */
  readonly approve?: boolean;
  readonly by?: Actor;
  /** The configuration of now of a failed server, if it was read already. */
  readonly next?: Reread | undefined;
}

/**
 * Ends the server's run and starts it again from the same configuration, in this order or, with `reload: 'swap'`, in the
 * other. Calls that come while one reload is under way share the next one. Of a template, the instances that are in use
 * are reloaded; where there is none, `approve` approves the tools that the next instance lists.
 *
 * @throws MuxError START_FAILED (the server stays registered: as crashed, or with `swap` as it was; of several instances,
 *   when all have failed), SERVER_REMOVED, and the errors of its manager: it goes on as it is
 */
export async function reload(fleet: Fleet, upstream: Upstream, options: ReloadOptions): Promise<Upstream> {
  if (!isSessionTemplate(upstream)) return reloadServer(fleet, upstream, options);
  const inUse = fleet.instancesOf(upstream).filter(({ state }) => state.kind !== 'idle');
  if (inUse.length > 0) await anyOf(inUse.map((instance) => reloadServer(fleet, instance, options)));
  else if (options.approve === true) {
    upstream.offer.approveNext();
    fleet.events.approved(upstream, options.by ?? HOST);
  }
  return upstream;
}

async function reloadServer(
  fleet: Fleet,
  upstream: Upstream,
  { approve = false, by = HOST }: ReloadOptions,
): Promise<Upstream> {
  fleet.events.reloading(upstream, by);
  await upstream.manager?.reload({ approve });
  const failure = await fleet.supervisorOf(upstream)?.reload();
  if (failure !== undefined && upstream.state.kind === 'running') throw notSwapped(upstream.name, failure);
  return approved(fleet, running(upstream), { approve, by });
}

/** The server; where `approve` is set, its tools of now are approved. */
export function approved(fleet: Fleet, reloaded: Upstream, { approve, by = HOST }: ReloadOptions): Upstream {
  if (approve !== true) return reloaded;
  reloaded.offer.approveTools();
  fleet.events.approved(reloaded, by);
  return reloaded;
}

/** Resolves when all have ended. Rejects as the first does, when none has succeeded. */
async function anyOf(works: readonly Promise<unknown>[]): Promise<void> {
  const outcomes = await Promise.allSettled(works);
  if (outcomes.some(({ status }) => status === 'fulfilled')) return;
  await works[0];
}
