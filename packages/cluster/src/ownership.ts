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
  /** Called after a change to a server if another change to it was requested in the meantime. */
  readonly recheck: (server: string) => void;
}

/** Returns true if the owner in the directory reflects this node's own change. */
type AppliedCheck = (owner: OwnerRecord | undefined) => boolean;

const CONCURRENT_CHANGES = 16;
/** How long a node waits for each more preferred node to claim a server, as a fraction of the lease. */
const DELAY_LEASES = 0.2;

/**
 * Claims and releases servers for this node, with one change at a time per server. A change stays pending until this
 * node's watch reports it, for one lease at most, so that the node does not repeat it.
 */
export class Ownership {
  private readonly pendingChanges = new Map<string, Promise<void>>();
  private readonly changeLimit = new Semaphore(CONCURRENT_CHANGES);
  private readonly pendingClaims = new Set<string>();
  /** The servers for which another change was requested while one was pending. */
  private readonly recheckServers = new Set<string>();
  /** The time at which this node first found each server without a live owner. */
  private readonly vacantSince = new Map<string, number>();

  constructor(private readonly parts: OwnershipParts) {}

  /** The number of servers that this node is claiming. */
  get pendingClaimCount(): number {
    return this.pendingClaims.size;
  }

  /** Returns the number of claim delays that have passed while the server had no live owner. */
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

  /** Makes this node the owner of a server, unless another node claims it first or the current owner is alive. */
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

  /** Deletes a removed server's owner record after the server's run here has ended. */
  deleteOwnership(server: string, owner: OwnerRecord, runEnd: Promise<void>): void {
    this.vacantSince.delete(server);
    this.startChange(server, async () => {
      await runEnd;
      return this.deleteOwnerRecord(server, owner);
    });
  }

  /** Deletes a removed server's owner record if the owner is gone. */
  deleteGoneOwnership(server: string, owner: OwnerRecord): void {
    this.vacantSince.delete(server);
    this.startChange(server, async () => {
      const { gone, servers } = this.parts;
      if (!(await gone.isGone(owner.node))) return undefined;
      // The watch may not have reported yet that the server was added again.
      if ((await servers.get(keyOf(server))) !== undefined) return undefined;
      return this.deleteOwnerRecord(server, owner);
    });
  }

  /** Releases this node's servers, except those that may run only on a node with the same name. */
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

  /** Corrects the directory with an owner record that was read, because the watch is late or has missed a change. */
  private correctDirectory(
    server: string,
    knownOwner: OwnerRecord | undefined,
    readEntry: BucketEntry | undefined,
  ): undefined {
    const { directory, logger } = this.parts;
    logger.log('debug', 'the owner of a server is another one than this node knows', { server });
    // If the directory has changed since the read, the watch has delivered a newer record.
    if (directory.owners.get(server) === knownOwner) directory.readOwner(server, readEntry);
  }

  private startChange(server: string, work: () => Promise<AppliedCheck | undefined>): void {
    if (this.pendingChanges.has(server)) return void this.recheckServers.add(server);
    const completion = this.applyChange(server, work).catch((error: unknown) => {
      // A ClusterError is expected: another node was faster, or the connection was lost. The next tick retries.
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

/** Returns true if a record names the given owner, or does not name one when `owner` is undefined. */
function namesOwner(entry: BucketEntry | undefined, owner: OwnerRecord | undefined): boolean {
  const namedOwner = entry && ownerRecord(entry.value);
  return namedOwner?.node === owner?.node && namedOwner?.epoch === owner?.epoch;
}
