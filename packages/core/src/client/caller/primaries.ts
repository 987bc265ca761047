import { NO_CLIENT, type ClientProfile } from '../../server/dialect/client-profile.js';
import type { Layer } from '../../server/config/layer.js';
import type { Era } from '../../server/dialect/era.js';
import type { Caller } from './caller.js';

/** A client whose capabilities mcpmux may declare to servers. */
export type PrimaryCandidate = Pick<Caller, 'profile' | 'era'> & { readonly layer: Layer };

/** The clients with a known profile, ordered by when each last sent its profile or called one of mcpmux's tools. */
export class Primaries {
  private readonly clients = new Set<PrimaryCandidate>();

  set(client: PrimaryCandidate): void {
    // A client without a profile, such as a shell command, has no capabilities to declare.
    if (client.profile === undefined) return;
    this.clients.delete(client);
    this.clients.add(client);
  }

  delete(client: PrimaryCandidate): void {
    this.clients.delete(client);
  }

  /**
   * Returns the era to try first with a server that is about to start in this layer: the era of the clients that see
   * the layer. If their eras differ, returns the modern era, in which each question belongs to one client's request.
   *
   * @param sharedEra the era for layers that several clients may see
   */
  eraFor(layer: Layer, sharedEra?: Era): Era {
    if (sharedEra !== undefined && layer.owner.session === undefined) return sharedEra;
    const viewers = [...this.clients].filter((client) => client.layer.sees(layer));
    const eras = new Set(viewers.map(({ era }) => era));
    const [era = sharedEra ?? 'legacy'] = eras;
    return eras.size > 1 ? 'modern' : era;
  }

  /** Returns the profile of the last active client that sees this layer, to declare to a server starting there. */
  profileFor(layer: Layer): ClientProfile {
    const primary = [...this.clients].findLast((client) => client.layer.sees(layer));
    return primary?.profile ?? NO_CLIENT;
  }
}
