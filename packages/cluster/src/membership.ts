import { type Clock, type Logger, messageOf } from '@mcpmux/kit';
import type { Lease } from './lease.js';

/** The dependencies of a {@link Membership}. */
export interface MembershipParts {
  readonly lease: Lease;
  readonly clock: Clock;
  readonly leaseMs: number;
  readonly logger: Logger;
  /** Reads who owns the servers of this node now. @throws ClusterError UNAVAILABLE */
  readonly readOwned: () => Promise<void>;
  /** This node is one of the cluster again, or has learned that the others have removed it. */
  readonly onChange: () => void;
}

/** The time after which a node that starts stops trying to get its first lease, in leases. */
const START_LEASES = 3;
/** The number of renewals in the time of one lease. */
const RENEWALS_PER_LEASE = 4;
/** The number of tries to get the first lease, in the time of one lease. */
const TRIES_PER_LEASE = 12;

/**
 * The membership of this node. This node is a member while its lease runs, and while it knows the owners of its servers:
 * a node that was without a lease reads them again.
 */
export class Membership {
  private renewedAt = 0;
  private renewing: Promise<void> | undefined;
  /** True after the lease ran out or was removed: other nodes may own the servers of this node since then. */
  private isDoubtful = false;

  constructor(private readonly parts: MembershipParts) {}

  /** True while this node is a member. */
  get isValid(): boolean {
    return this.parts.lease.isValid && !this.isDoubtful;
  }

  /** False when the cluster does not store the signs of life of this node. The cluster may not store those of others either. */
  get isHeard(): boolean {
    return this.parts.lease.isFresh;
  }

  /** The time for which this node remains a member without a renewal, in milliseconds. */
  get validForMs(): number {
    return this.isDoubtful ? 0 : this.parts.lease.validForMs;
  }

  /**
   * Gets the first lease. Tries again while the engine is busy or chooses a leader.
   *
   * @param isWanted false when the node is closed meanwhile: the tries end
   * @throws ClusterError UNAVAILABLE after three leases
   */
  async begin(isWanted: () => boolean): Promise<void> {
    const { lease, clock, leaseMs } = this.parts;
    const until = clock.now() + START_LEASES * leaseMs;
    while (!lease.isValid && isWanted()) {
      try {
        await lease.renew();
      } catch (error) {
        if (clock.now() > until) throw error;
        await new Promise<void>((resolve) => {
          clock.schedule(resolve, leaseMs / TRIES_PER_LEASE);
        });
      }
    }
    this.renewedAt = clock.now();
  }

  /** Renews the lease when it is time. */
  tick(): void {
    const { clock, leaseMs } = this.parts;
    const isDue = clock.now() - this.renewedAt >= leaseMs / RENEWALS_PER_LEASE;
    if (isDue && this.renewing === undefined) void this.renew();
  }

  /** Renews the lease now. */
  renew(): Promise<void> {
    this.renewing ??= this.attempt().finally(() => {
      this.renewing = undefined;
    });
    return this.renewing;
  }

  private async attempt(): Promise<void> {
    const { clock, logger } = this.parts;
    this.renewedAt = clock.now();
    try {
      await this.write();
    } catch (error) {
      logger.log('debug', 'the lease was not renewed', { problem: messageOf(error) });
    }
  }

  private async write(): Promise<void> {
    const { lease, readOwned, onChange } = this.parts;
    if (!lease.isValid) this.isDoubtful = true;
    if (await lease.renew()) {
      this.isDoubtful = true;
      onChange();
    }
    if (!this.isDoubtful || !lease.isValid) return;
    // A watch may bring the changes of the time without a lease late.
    await readOwned();
    this.isDoubtful = false;
    onChange();
  }

  /** Says what this node is now. @throws ClusterError UNAVAILABLE */
  async announce(): Promise<void> {
    await this.renewing;
    await this.write();
  }

  /** Ends the lease at once: nobody waits for it. @throws ClusterError UNAVAILABLE */
  async end(): Promise<void> {
    await this.renewing;
    await this.parts.lease.end();
  }
}
