import { NO_CLIENT, type ClientProfile } from '../../server/dialect/client-profile.js';
import type { Layer } from '../../server/config/layer.js';
import type { Era } from '../../server/dialect/era.js';
import type { Caller } from './caller.js';

/** A client whose capabilities mcpmux may declare to servers. */
export type PrimaryCandidate = Pick<Caller, 'profile' | 'era'> & { readonly layer: Layer };

/** The clients that have described themselves, ordered by their last description or call to one of mcpmux's tools. */
export class Primaries {
  private readonly clients = new Set<PrimaryCandidate>();

  set(client: PrimaryCandidate): void {
    // A client without a description, such as a command, has no capabilities to declare.
    if (client.profile === undefined) return;
    this.clients.delete(client);
    this.clients.add(client);
  }

  delete(client: PrimaryCandidate): void {
    this.clients.delete(client);
  }

  /**
   * Returns the era to try first with a server that is about to start in this layer: the era of the clients that see
   * the server. If their eras differ, it is the modern era, in which each of the server's questions belongs to one
   * request and therefore to one client.
   *
   * @param sharedEra the era for a layer that several clients may see
   */
  eraFor(layer: Layer, sharedEra?: Era): Era {
    if (sharedEra !== undefined && layer.owner.session === undefined) return sharedEra;
    const viewers = [...this.clients].filter((client) => client.layer.sees(layer));
    const eras = new Set(viewers.map(({ era }) => era));
    const [era = sharedEra ?? 'legacy'] = eras;
    return eras.size > 1 ? 'modern' : era;
  }

  /** Returns the profile of the most recent client that sees this layer, for a server that is about to start in it. */
  profileFor(layer: Layer): ClientProfile {
    const primary = [...this.clients].findLast((client) => client.layer.sees(layer));
    return primary?.profile ?? NO_CLIENT;
  }
}
