import type { Logger } from '@mcpmux/kit';
import type { RequestOrigin } from '../caller/caller.js';
import type { Primaries, PrimaryCandidate } from '../caller/primaries.js';
import { HOST } from '../../guards/principal.js';
import type { Upstream } from '../../server/upstream.js';
import { legacyProfileOf, type ClientProfile } from '../../server/dialect/client-profile.js';
import { MODERN_VERSIONS } from '../../server/dialect/revisions.js';

interface PrimaryEntry {
  readonly profile: ClientProfile;
  readonly primary: PrimaryCandidate;
}

/** The clients of the modern era whose capabilities mcpmux declares to legacy servers. */
export class ModernPrimaries {
  private readonly entries = new Map<object, PrimaryEntry>();
  /** The client of the latest request that arrived without a connection. */
  private lastWithoutConnection: PrimaryEntry | undefined;

  constructor(
    private readonly primaries: Primaries,
    private readonly logger: Logger,
  ) {}

  /** Returns the profile of the client that sends a session's requests; undefined before its first request. */
  profileOf(origin: object): ClientProfile | undefined {
    return this.entries.get(origin)?.profile;
  }

  /** Records the client of a request, unless it is the host, whose capabilities are not declared to servers. */
  recordClient(origin: RequestOrigin, profile: ClientProfile): void {
    if (origin.principal === HOST) return;
    const entry = origin.isPersistent ? this.entries.get(origin) : this.lastWithoutConnection;
    if (entry?.profile === profile) return;
    this.setEntry(origin, entry, profile);
    // Each request without a connection counts as a new client, so logging these clients would flood the log.
    if (entry === undefined && origin.isPersistent) this.logConnection(origin);
  }

  /** Makes a request's client the primary. Called when the client calls one of mcpmux's own tools. */
  setPrimary(origin: RequestOrigin, profile: ClientProfile): void {
    if (origin.principal === HOST) return;
    this.setEntry(
      origin,
      origin.isPersistent ? this.entries.get(origin) : this.lastWithoutConnection,
      profile,
    );
  }

  forget(origin: object): void {
    const entry = this.entries.get(origin);
    if (entry === undefined) return;
    this.entries.delete(origin);
    this.primaries.delete(entry.primary);
  }

  /** True if any client that sees the server has declared roots. */
  hasRoots({ layer }: Upstream): boolean {
    const clients = [
      ...this.entries.values(),
      ...(this.lastWithoutConnection === undefined ? [] : [this.lastWithoutConnection]),
    ];
    return clients.some(
      ({ profile, primary }) => profile.capabilities['roots'] !== undefined && primary.layer.sees(layer),
    );
  }

  private logConnection({ session }: RequestOrigin): void {
    const [revision] = MODERN_VERSIONS;
    this.logger.log('info', 'client connected', { session, era: 'modern', protocol_version: revision });
  }

  private setEntry(origin: RequestOrigin, previous: PrimaryEntry | undefined, profile: ClientProfile): void {
    const primary = { era: 'modern', profile: legacyProfileOf(profile), layer: origin.layer } as const;
    const entry = { profile, primary };
    if (previous !== undefined) this.primaries.delete(previous.primary);
    if (origin.isPersistent) this.entries.set(origin, entry);
    else this.lastWithoutConnection = entry;
    this.primaries.set(primary);
  }
}
