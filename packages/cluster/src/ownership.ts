import { messageOf, Semaphore, waitAtMost, type Kit } from '@mcpmux/kit';
import { ClusterError, type Bucket, type BucketEntry } from './cluster.js';
import type { Directory } from './directory.js';
import type { GoneNodes } from './gone-nodes.js';
import type { NodeView } from './placement.js';
import { encodeRecord, epochOf, keyOf, ownerRecord, type OwnerRecord } from './records.js';

/** The dependencies of an {@link Ownership}. */
export interface OwnershipParts extends Pick<Kit, 'clock' | 'logger'> {
  readonly id: string;
  readonly name: string;
  readonly owners: Bucket;
  readonly servers: Bucket;
  readonly gone: Pick<GoneNodes, 'isGone'>;
  readonly directory: Directory;
  readonly leaseMs: number;
  /** Called when a change to a server has ended and another change was requested in the meantime. */
  readonly recheck: (server: string) => void;
}

/** Returns true if the owner in the directory reflects this node's own change. */
type AppliedCheck = (owner: OwnerRecord | undefined) => boolean;

const CONCURRENT_CHANGES = 16;
/** The time in which each more preferred node may claim a server, as a fraction of the lease. */
const DELAY_LEASES = 0.2;

/**
 * Claims servers for this node, and releases them. Changes to one server run one at a time. A change is pending until
 * this node's watch has reported it, so that no decision is made twice.
 */
export class Ownership {
  private readonly pendingChanges = new Map<string, Promise<void>>();
  private readonly changeLimit = new Semaphore(CONCURRENT_CHANGES);
  private readonly pendingClaims = new Set<string>();
  /** The servers for which another change was requested during a change. */
  private readonly recheckServers = new Set<string>();
  /** The times at which servers lost their last live owner, by server. */
  private readonly vacantSince = new Map<string, number>();

  constructor(private readonly parts: OwnershipParts) {}

  /** The number of servers that this node is claiming. */
  get pendingClaimCount(): number {
    return this.pendingClaims.size;
  }

  /** Returns the number of more preferred nodes whose time to claim a server has passed. */
  expiredClaimDelays(server: string, nodes: ReadonlyMap<string, NodeView>): number {
    const { directory, clock, leaseMs } = this.parts;
    const owner = directory.owners.get(server);
    if (owner !== undefined && nodes.get(owner.node)?.isAlive === true) {
      this.vacantSince.delete(server);
      return 0;
    }
    const vacantFrom = this.vacantSince.get(server) ?? clock.now();
    this.vacantSince.set(server, vacantFrom);
    return Math.floor((clock.now() - vacantFrom) / (leaseMs * DELAY_LEASES));
  }

  /** Makes this node the owner of a server unless another node is faster. */
  claim(server: string, replaces: OwnerRecord | undefined): void {
    if (this.pendingChanges.has(server)) return;
    this.pendingClaims.add(server);
    this.startChange(server, async () => {
      const { owners, id, name, directory, gone } = this.parts;
      if (replaces !== undefined && !(await gone.isGone(replaces.node))) return undefined;
      const currentEntry = await owners.get(keyOf(server));
      if (!namesOwner(currentEntry, replaces)) return this.correctDirectory(server, replaces, currentEntry);
      const epoch = Math.max(directory.nextEpoch, epochOf(currentEntry?.value) + 1);
      const record = encodeRecord({ node: id, name, epoch });
      if (currentEntry === undefined) await owners.create(keyOf(server), record);
      else await owners.update(keyOf(server), record, currentEntry.revision);
      return (owner) => (owner?.epoch ?? 0) >= epoch;
    });
  }

  /** Releases a server after its run here has ended. */
  release(server: string, owner: OwnerRecord, runEnd: Promise<void>): void {
    this.startChange(server, async () => {
      await runEnd;
      const { owners } = this.parts;
      const currentEntry = await owners.get(keyOf(server));
      if (currentEntry === undefined || !namesOwner(currentEntry, owner))
        return this.correctDirectory(server, owner, currentEntry);
      await owners.update(keyOf(server), encodeRecord({ epoch: owner.epoch }), currentEntry.revision);
      return (heard) => heard?.epoch !== owner.epoch;
    });
  }

  /** Deletes the owner record of a server that the cluster no longer has, after its run here has ended. */
  deleteOwnership(server: string, owner: OwnerRecord, runEnd: Promise<void>): void {
    this.vacantSince.delete(server);
    this.startChange(server, async () => {
      await runEnd;
      return this.deleteOwnerRecord(server, owner);
    });
  }

  /** If the owner is gone, deletes the owner record of a server that the cluster no longer has. */
  deleteGoneOwnership(server: string, owner: OwnerRecord): void {
    this.vacantSince.delete(server);
    this.startChange(server, async () => {
      const { gone, servers } = this.parts;
      if (!(await gone.isGone(owner.node))) return undefined;
      // The watch may deliver the record of a server late.
      if ((await servers.get(keyOf(server))) !== undefined) return undefined;
      return this.deleteOwnerRecord(server, owner);
    });
  }

  /** Releases the servers of this node, except those that only a node of the same name may run. */
  async releaseAll(): Promise<void> {
    const { directory, id } = this.parts;
    for (const [server, owner] of directory.owners) {
      const mustStay = directory.servers.get(server)?.record.failover === 'never';
      if (owner.node === id && !mustStay) this.release(server, owner, Promise.resolve());
    }
    await this.whenIdle();
  }

  /** Resolves when no change is pending. */
  async whenIdle(): Promise<void> {
    while (this.pendingChanges.size > 0) await Promise.all(this.pendingChanges.values());
  }

  private async deleteOwnerRecord(server: string, owner: OwnerRecord): Promise<AppliedCheck | undefined> {
    const { owners } = this.parts;
    const currentEntry = await owners.get(keyOf(server));
    if (currentEntry === undefined || !namesOwner(currentEntry, owner))
      return this.correctDirectory(server, owner, currentEntry);
    await owners.delete(keyOf(server), currentEntry.revision);
    return (heard) => heard?.epoch !== owner.epoch;
  }

  /** Corrects the directory if the cluster has another owner: the watch is late, or has lost the change. */
  private correctDirectory(
    server: string,
    knownOwner: OwnerRecord | undefined,
    readEntry: BucketEntry | undefined,
  ): undefined {
    const { directory, logger } = this.parts;
    logger.log('debug', 'the owner of a server is another one than this node knows', { server });
    // A change that the watch has delivered in the meantime is newer than the record that was read.
    if (directory.owners.get(server) === knownOwner) directory.readOwner(server, readEntry);
  }

  private startChange(server: string, work: () => Promise<AppliedCheck | undefined>): void {
    if (this.pendingChanges.has(server)) return void this.recheckServers.add(server);
    const completion = this.applyChange(server, work).catch((error: unknown) => {
      // Another node was faster, or the connection is lost. The next tick retries.
      const isExpected = error instanceof ClusterError;
      const { logger } = this.parts;
      logger.log(isExpected ? 'debug' : 'error', 'the owner of a server was not changed', {
        server,
        problem: messageOf(error),
      });
    });
    this.pendingChanges.set(
      server,
      completion.then(() => this.handleChangeEnd(server)),
    );
  }

  private handleChangeEnd(server: string): void {
    this.pendingChanges.delete(server);
    this.pendingClaims.delete(server);
    if (this.recheckServers.delete(server)) this.parts.recheck(server);
  }

  private async applyChange(server: string, work: () => Promise<AppliedCheck | undefined>): Promise<void> {
    const { directory, clock, leaseMs } = this.parts;
    const isApplied = await this.withLimit(work);
    if (isApplied !== undefined) await waitAtMost(leaseMs, directory.untilOwner(server, isApplied), clock);
  }

  private async withLimit<Result>(work: () => Promise<Result>): Promise<Result> {
    const releasePermit = await this.changeLimit.acquire();
    try {
      return await work();
    } finally {
      releasePermit();
    }
  }
}

/** True if a record names this owner, or no owner if `owner` is undefined. */
function namesOwner(entry: BucketEntry | undefined, owner: OwnerRecord | undefined): boolean {
  const namedOwner = entry && ownerRecord(entry.value);
  return namedOwner?.node === owner?.node && namedOwner?.epoch === owner?.epoch;
}
