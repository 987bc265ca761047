import type { Clock } from '@mcpmux/kit';
import { ClusterError, type Bucket } from './cluster.js';
import { encodeRecord, type NodeState } from './records.js';

/** The dependencies of a {@link Lease}. */
export interface LeaseParts {
  readonly bucket: Bucket;
  readonly clock: Pick<Clock, 'now'>;
  /** The key of the lease, which is the id of the node. */
  readonly key: string;
  /** How long other nodes wait for the next renewal before they treat this node as gone, in milliseconds. */
  readonly leaseMs: number;
  /** Returns the current record of the node. */
  readonly record: () => NodeState;
}

/**
 * The last fraction of a lease, in which the node no longer treats it as valid and ends its singletons before other
 * nodes may start them. Ending a server takes about a second. The rest allows for a busy node and for clock drift.
 */
export const MARGIN_FRACTION = 0.2;
/** The age below which the last renewal counts as fresh, as a fraction of the lease. Equals two renewal intervals. */
const FRESH_FRACTION = 0.5;

/** The lease of this node. Other nodes take over its servers if the lease is not renewed for `leaseMs`. */
export class Lease {
  private revision: number | undefined;
  private renewalCount = 0;
  /** The time at which the last successful renewal was sent. Undefined before the first renewal. */
  private renewedAt: number | undefined;

  constructor(private readonly parts: LeaseParts) {}

  /** False if other nodes may take over the servers of this node now or soon. */
  get isValid(): boolean {
    return this.validForMs > 0;
  }

  /** True if a renewal has succeeded within the last two renewal intervals. */
  get isFresh(): boolean {
    const { clock, leaseMs } = this.parts;
    return this.renewedAt !== undefined && clock.now() - this.renewedAt < leaseMs * FRESH_FRACTION;
  }

  /** The time for which the lease stays valid without a renewal, in milliseconds. */
  get validForMs(): number {
    const { clock, leaseMs } = this.parts;
    return this.renewedAt === undefined ? 0 : this.renewedAt + leaseMs * (1 - MARGIN_FRACTION) - clock.now();
  }

  /**
   * Renews the lease.
   *
   * @returns true if the other nodes had removed this node
   * @throws ClusterError UNAVAILABLE
   */
  async renew(): Promise<boolean> {
    if (await this.writeRecord()) return false;
    const wasRemoved = this.revision === undefined;
    await this.writeRecord();
    return wasRemoved;
  }

  /** Ends the lease at once, so that other nodes need not wait for its expiry. */
  async end(): Promise<void> {
    const { bucket, key } = this.parts;
    const revision = (await bucket.get(key))?.revision;
    if (revision !== undefined) await bucket.delete(key, revision);
  }

  /** Writes the record. Resolves with false if the record has an unexpected revision. */
  private async writeRecord(): Promise<boolean> {
    const { bucket, clock, key, record } = this.parts;
    const sentAt = clock.now();
    this.renewalCount += 1;
    const value = encodeRecord({ ...record(), renewal: this.renewalCount });
    try {
      this.revision =
        this.revision === undefined
          ? await bucket.create(key, value)
          : await bucket.update(key, value, this.revision);
    } catch (error) {
      if (!(error instanceof ClusterError) || error.code !== 'CONFLICT') throw error;
      // Either an earlier renewal was stored but its response was lost, or other nodes have removed this node.
      this.revision = (await bucket.get(key))?.revision;
      return false;
    }
    this.renewedAt = sentAt;
    return true;
  }
}
