import { isSessionTemplate } from '../config/isolation.js';
import type { RereadResult } from '../lists/registration.js';
import type { Upstream } from '../upstream.js';
import { HOST_ACTOR, type Actor } from '../config/actor.js';
import type { Fleet } from './fleet.js';
import { swapFailedError, requireRunning } from './registry-outcomes.js';

/** Options for reloading a server. */
export interface ReloadOptions {
  /** If true, approves the tools after the reload. See {@link ToolPins}. */
  readonly approve?: boolean;
  readonly by?: Actor;
  /** A failed server's current config, if it has already been read. */
  readonly rereadResult?: RereadResult | undefined;
}

/**
 * Ends the server's run, then starts another from the same configuration. With `reload: 'swap'`, starts the new run
 * first. Calls during a reload share the next reload. For a template, reloads the instances in use. If no instance is
 * in use, `approve` approves the tools of the next instance.
 *
 * @throws MuxError START_FAILED, SERVER_REMOVED, and the errors of the server's manager. After START_FAILED the server
 * stays registered as crashed or, with `swap`, continues. For several instances, rejects only if all have failed. If
 * its manager fails, the server continues.
 */
export async function reload(fleet: Fleet, upstream: Upstream, options: ReloadOptions): Promise<Upstream> {
  if (!isSessionTemplate(upstream)) return reloadServer(fleet, upstream, options);
  const inUse = fleet.instancesOf(upstream).filter(({ state }) => state.kind !== 'idle');
  if (inUse.length > 0) await waitForAll(inUse.map((instance) => reloadServer(fleet, instance, options)));
  else if (options.approve === true) {
    upstream.offer.approveNextTools();
    fleet.observe(upstream, { kind: 'approved', by: options.by ?? HOST_ACTOR });
  }
  return upstream;
}

async function reloadServer(
  fleet: Fleet,
  upstream: Upstream,
  { approve = false, by = HOST_ACTOR }: ReloadOptions,
): Promise<Upstream> {
  fleet.observe(upstream, { kind: 'reloading', by });
  await upstream.manager?.reload({ approve });
  const failure = await fleet.supervisorOf(upstream)?.reload();
  if (failure !== undefined && upstream.state.kind === 'running')
    throw swapFailedError(upstream.name, failure);
  return approveIfRequested(fleet, requireRunning(upstream), { approve, by });
}

/** Approves the current tools of a server if `approve` is set. Returns the server. */
export function approveIfRequested(
  fleet: Fleet,
  reloaded: Upstream,
  { approve, by = HOST_ACTOR }: ReloadOptions,
): Upstream {
  if (approve !== true) return reloaded;
  reloaded.offer.approveTools();
  fleet.observe(reloaded, { kind: 'approved', by });
  return reloaded;
}

/** Resolves when all promises have settled. If all have rejected, rejects with the first promise's error. */
async function waitForAll(works: readonly Promise<unknown>[]): Promise<void> {
  const outcomes = await Promise.allSettled(works);
  if (outcomes.some(({ status }) => status === 'fulfilled')) return;
  await works[0];
}
