import { messageOf, type Kit } from '@mcpmux/kit';
import type { Lease } from './lease.js';

/** The dependencies of a {@link Membership}. */
export interface MembershipParts extends Pick<Kit, 'clock' | 'logger'> {
  readonly lease: Lease;
  readonly leaseMs: number;
  /** Reads the current owners of this node's servers. @throws ClusterError UNAVAILABLE */
  readonly readOwners: () => Promise<void>;
  /** Called when this node has become a member again, or has found that other nodes have removed it. */
  readonly onChange: () => void;
}

/** The time after which a starting node stops trying to acquire its first lease, in lease durations. */
const MAX_START_LEASES = 3;
/** The number of renewals per lease duration. */
const RENEWALS_PER_LEASE = 4;
/** The number of attempts to acquire the first lease, per lease duration. */
const ATTEMPTS_PER_LEASE = 12;

/**
 * The membership of this node. A node is a member while its lease is valid and the owners of its servers are known. A
 * node that has lost its lease reads the owners again before it rejoins.
 */
export class Membership {
  private lastAttemptAt = 0;
  private pendingRenewal: Promise<void> | undefined;
  /**
   * True from the loss of the lease until the owners are read again: other nodes may have claimed this node's servers.
   */
  private areOwnersUnknown = false;

  constructor(private readonly parts: MembershipParts) {}

  /** True while this node is a member. */
  get isValid(): boolean {
    return this.parts.lease.isValid && !this.areOwnersUnknown;
  }

  /** False if no recent renewal of this node has succeeded. Renewals of other nodes may then be failing too. */
  get isFresh(): boolean {
    return this.parts.lease.isFresh;
  }

  /** The time for which this node remains a member without a renewal, in milliseconds. */
  get validForMs(): number {
    return this.areOwnersUnknown ? 0 : this.parts.lease.validForMs;
  }

  /**
   * Acquires the first lease. Retries after errors, because the engine may be busy or electing a leader.
   *
   * @param isWanted returns false once the node has been closed, which ends the retries
   * @throws ClusterError UNAVAILABLE after three lease durations
   */
  async acquireFirstLease(isWanted: () => boolean): Promise<void> {
    const { lease, clock, leaseMs } = this.parts;
    const deadline = clock.now() + MAX_START_LEASES * leaseMs;
    while (!lease.isValid && isWanted()) {
      try {
        await lease.renew();
      } catch (error) {
        if (clock.now() > deadline) throw error;
        await new Promise<void>((resolve) => {
          clock.schedule(resolve, leaseMs / ATTEMPTS_PER_LEASE);
        });
      }
    }
    this.lastAttemptAt = clock.now();
  }

  /** Renews the lease if a renewal is due. */
  tick(): void {
    const { clock, leaseMs } = this.parts;
    const isDue = clock.now() - this.lastAttemptAt >= leaseMs / RENEWALS_PER_LEASE;
    if (isDue && this.pendingRenewal === undefined) void this.renew();
  }

  /** Renews the lease now. */
  renew(): Promise<void> {
    this.pendingRenewal ??= this.tryRenewal().finally(() => {
      this.pendingRenewal = undefined;
    });
    return this.pendingRenewal;
  }

  private async tryRenewal(): Promise<void> {
    const { clock, logger } = this.parts;
    this.lastAttemptAt = clock.now();
    try {
      await this.renewAndReadOwners();
    } catch (error) {
      logger.log('debug', 'the lease was not renewed', { problem: messageOf(error) });
    }
  }

  private async renewAndReadOwners(): Promise<void> {
    const { lease, readOwners, onChange } = this.parts;
    if (!lease.isValid) this.areOwnersUnknown = true;
    if (await lease.renew()) {
      this.areOwnersUnknown = true;
      onChange();
    }
    if (!this.areOwnersUnknown || !lease.isValid) return;
    // The watch may not yet have delivered the changes that were made while this node had no lease.
    await readOwners();
    this.areOwnersUnknown = false;
    onChange();
  }

  /**
   * Writes this node's current state to its record.
   * @throws ClusterError UNAVAILABLE
   */
  async announce(): Promise<void> {
    await this.pendingRenewal;
    await this.renewAndReadOwners();
  }

  /** Ends the lease at once, so that other nodes need not wait for its expiry. @throws ClusterError UNAVAILABLE */
  async end(): Promise<void> {
    await this.pendingRenewal;
    await this.parts.lease.end();
  }
}
