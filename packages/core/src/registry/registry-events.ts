import type { Upstream } from '../upstream/upstream.js';
import type { UpstreamEvents } from '../upstream/upstream-components.js';
import type { Actor } from './actor.js';

/** What the owner of a registry is told, beyond what each upstream tells. */
export interface RegistryEvents extends Omit<UpstreamEvents<Upstream>, 'sessionLost'> {
  added(upstream: Upstream, by: Actor): void;
  removed(upstream: Upstream, by: Actor): void;
  /** Whatever its tools are now, they are to be so. */
  approved(upstream: Upstream, by: Actor): void;
  /** It was asked to start again. */
  reloading(upstream: Upstream, by: Actor): void;
}
