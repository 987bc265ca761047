import type { Clock } from '@mcpmux/kit';
import { ClusterError, type Bucket } from './cluster.js';
import { encodeRecord, type NodeState } from './records.js';

/** The dependencies of a {@link Lease}. */
export interface LeaseParts {
  readonly bucket: Bucket;
  readonly clock: Pick<Clock, 'now'>;
  /** Key of the lease: the id of the node. */
  readonly key: string;
  /** How long the others wait for the next sign of life. */
  readonly leaseMs: number;
  /** Returns the record of the node as it is now. */
  readonly record: () => NodeState;
}

/**
 * The part of the lease that a node leaves unused: it ends its singletons in this time, before others may start them. The
 * end of a server that stays takes a second; the rest is for a busy node and for clocks that differ.
 */
export const MARGIN = 0.2;
/** Twice the pause between two signs of life. */
const FRESH = 0.5;

/** The sign of life of this node. Others take its servers when it stays away for `leaseMs`. */
export class Lease {
  private revision: number | undefined;
  private renewals = 0;
  /** When the last renewal that has arrived was sent; undefined before the first one. */
  private renewedAt: number | undefined;

  constructor(private readonly parts: LeaseParts) {}

  /** False when other nodes may take the servers of this node now, or soon. */
  get isValid(): boolean {
    return this.validForMs > 0;
  }

  /** True if the last sign of life has arrived in its time. */
  get isFresh(): boolean {
    const { clock, leaseMs } = this.parts;
    return this.renewedAt !== undefined && clock.now() - this.renewedAt < leaseMs * FRESH;
  }

  /** For how long it stays valid without a renewal, in milliseconds. */
  get validForMs(): number {
    const { clock, leaseMs } = this.parts;
    return this.renewedAt === undefined ? 0 : this.renewedAt + leaseMs * (1 - MARGIN) - clock.now();
  }

  /**
   * Says that this node is there.
   *
   * @returns whether the others had removed this node
   * @throws ClusterError UNAVAILABLE
   */
  async renew(): Promise<boolean> {
    if (await this.write()) return false;
    const wasRemoved = this.revision === undefined;
    await this.write();
    return wasRemoved;
  }

  /** Ends the lease at once: nobody waits for it. */
  async end(): Promise<void> {
    const { bucket, key } = this.parts;
    const revision = (await bucket.get(key))?.revision;
    if (revision !== undefined) await bucket.delete(key, revision);
  }

  /** Writes the record. Resolves to false when the record has another revision than the expected one. */
  private async write(): Promise<boolean> {
    const { bucket, clock, key, record } = this.parts;
    const sentAt = clock.now();
    this.renewals += 1;
    const value = encodeRecord({ ...record(), renewal: this.renewals });
    try {
      this.revision =
        this.revision === undefined
          ? await bucket.create(key, value)
          : await bucket.update(key, value, this.revision);
    } catch (error) {
      if (!(error instanceof ClusterError) || error.code !== 'CONFLICT') throw error;
      // An earlier renewal arrived without its answer, or the others have removed this node.
      this.revision = (await bucket.get(key))?.revision;
      return false;
    }
    this.renewedAt = sentAt;
    return true;
  }
}
