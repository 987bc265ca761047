import { NO_CLIENT, type ClientProfile } from '../../server/dialect/client-profile.js';
import type { Layer } from '../../server/config/layer.js';
import type { Era } from '../../server/dialect/era.js';
import type { Caller } from './caller.js';

/** A client whose capabilities servers may get. */
export type PrimaryClient = Pick<Caller, 'profile' | 'era'> & { readonly layer: Layer };

/**
 * The clients that have described themselves. The client that did so, or used one of mcpmux's tools, most recently is
 * last.
 */
export class Primaries {
  private readonly clients = new Set<PrimaryClient>();

  set(client: PrimaryClient): void {
    // A client that has not described itself, such as a command, has no capabilities for servers.
    if (client.profile === undefined) return;
    this.clients.delete(client);
    this.clients.add(client);
  }

  delete(client: PrimaryClient): void {
    this.clients.delete(client);
  }

  /**
   * Returns the era that mcpmux tries first with a server that starts in this layer now: the era of the clients that
   * see the server. If these clients use both eras, it is the modern one, in which a server says whom its questions are
   * for.
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
   * Returns the client profile for a server that starts in this layer now: the profile of the last client that sees the
   * server.
   */
  capabilitiesFor(layer: Layer): ClientProfile {
    const primary = [...this.clients].findLast((client) => client.layer.sees(layer));
    return primary?.profile ?? NO_CLIENT;
  }
}
