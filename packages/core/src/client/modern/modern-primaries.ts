import type { Logger } from '@mcpmux/kit';
import type { RequestOrigin } from '../caller/caller.js';
import type { Primaries, PrimaryClient } from '../caller/primaries.js';
import { HOST } from '../../guards/principal.js';
import type { Upstream } from '../../server/upstream.js';
import { legacyProfileOf, type ClientProfile } from '../../server/dialect/client-profile.js';
import { MODERN_VERSIONS } from '../../server/dialect/revisions.js';

interface Known {
  readonly of: ClientProfile;
  readonly primary: PrimaryClient;
}

/** The clients of the modern era whose capabilities mcpmux declares to legacy servers. */
export class ModernPrimaries {
  private readonly known = new Map<object, Known>();
  /** The client of the last request without a connection. */
  private last: Known | undefined;

  constructor(
    private readonly primaries: Primaries,
    private readonly logger: Logger,
  ) {}

  /** Returns the client that sends the requests of a session. */
  profileOf(by: object): ClientProfile | undefined {
    return this.known.get(by)?.of;
  }

  /** Records the client of a request. The capabilities of the host itself are not declared to servers. */
  note(by: RequestOrigin, profile: ClientProfile): void {
    if (by.principal === HOST) return;
    const known = by.isPersistent ? this.known.get(by) : this.last;
    if (known?.of === profile) return;
    this.replace(by, known, profile);
    // Without a connection, each request counts as a client, so the log would have too many entries.
    if (known === undefined && by.isPersistent) this.report(by);
  }

  /** Makes the client of a request the primary when it uses one of mcpmux's tools. */
  set(by: RequestOrigin, profile: ClientProfile): void {
    if (by.principal === HOST) return;
    this.replace(by, by.isPersistent ? this.known.get(by) : this.last, profile);
  }

  forget(by: object): void {
    const known = this.known.get(by);
    if (known === undefined) return;
    this.known.delete(by);
    this.primaries.delete(known.primary);
  }

  /** True if a client that sees the server has roots. */
  hasRoots({ layer }: Upstream): boolean {
    const all = [...this.known.values(), ...(this.last === undefined ? [] : [this.last])];
    return all.some(({ of, primary }) => of.capabilities['roots'] !== undefined && primary.layer.sees(layer));
  }

  private report({ session }: RequestOrigin): void {
    const [revision] = MODERN_VERSIONS;
    this.logger.log('info', 'client connected', { session, era: 'modern', protocol_version: revision });
  }

  private replace(by: RequestOrigin, before: Known | undefined, profile: ClientProfile): void {
    const primary = { era: 'modern', profile: legacyProfileOf(profile), layer: by.layer } as const;
    const known = { of: profile, primary };
    if (before !== undefined) this.primaries.delete(before.primary);
    if (by.isPersistent) this.known.set(by, known);
    else this.last = known;
    this.primaries.set(primary);
  }
}
