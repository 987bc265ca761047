import { NO_CLIENT, type ClientProfile } from '../../server/dialect/client-profile.js';
import type { Layer } from '../../server/config/layer.js';
import type { Era } from '../../server/dialect/era.js';
import type { Caller } from './caller.js';

/** A client whose capabilities servers may be told. */
export type PrimaryClient = Pick<Caller, 'profile' | 'era'> & { readonly layer: Layer };

/** The clients that have introduced themselves. The one that did so or used a tool of mcpmux last stands at the end. */
export class Primaries {
  private readonly clients = new Set<PrimaryClient>();

  set(client: PrimaryClient): void {
    // A client that has not introduced itself, such as a command, has nothing to tell servers.
    if (client.profile === undefined) return;
    this.clients.delete(client);
    this.clients.add(client);
  }

  delete(client: PrimaryClient): void {
    this.clients.delete(client);
  }

  /**
   * The era in which a server in this layer that starts now is spoken to first: that of the clients that see it. If they
   * speak both, the modern one: there a server says whose its questions are.
   *
   * @param ofMany the era for layers that more clients are expected to see
   */
  eraFor(layer: Layer, ofMany?: Era): Era {
    if (ofMany !== undefined && layer.owner.session === undefined) return ofMany;
    const seeing = [...this.clients].filter((client) => client.layer.sees(layer));
    const eras = new Set(seeing.map(({ era }) => era));
    const [era = ofMany ?? 'legacy'] = eras;
    return eras.size > 1 ? 'modern' : era;
  }

  /**
   * Returns the profile of the client for a server of this layer that starts now: of the last client to which the
   * server is visible.
   */
  capabilitiesFor(layer: Layer): ClientProfile {
    const primary = [...this.clients].findLast((client) => client.layer.sees(layer));
    return primary?.profile ?? NO_CLIENT;
  }
}
