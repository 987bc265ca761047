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
  /** Called when a change to a server has ended and another change has been requested in the meantime. */
  readonly lookAgain: (server: string) => void;
}

/** Returns true if this node has learned of its own change. */
type IsHeard = (owner: OwnerRecord | undefined) => boolean;

const CONCURRENT_CHANGES = 16;
/** Time that each preceding node has to claim a server, as a part of the lease. */
const TURN = 0.2;

/**
 * Claims servers for this node, and releases them. Each server has one change at a time. A change ends when this node
 * has learned of it through its watch, so that nothing is decided twice.
 */
export class Ownership {
  private readonly changing = new Map<string, Promise<void>>();
  private readonly limit = new Semaphore(CONCURRENT_CHANGES);
  private readonly claims = new Set<string>();
  /** Servers for which another change was requested during a change. */
  private readonly again = new Set<string>();
  /** The time since which each server has no living owner. */
  private readonly vacantSince = new Map<string, number>();

  constructor(private readonly parts: OwnershipParts) {}

  /** The number of servers that this node is claiming. */
  get claiming(): number {
    return this.claims.size;
  }

  /** Returns the number of preceding nodes whose time to claim a server has passed. */
  expiredClaimDelays(server: string, nodes: ReadonlyMap<string, NodeView>): number {
    const { directory, clock, leaseMs } = this.parts;
    const owner = directory.owners.get(server);
    if (owner !== undefined && nodes.get(owner.node)?.isAlive === true) {
      this.vacantSince.delete(server);
      return 0;
    }
    const since = this.vacantSince.get(server) ?? clock.now();
    this.vacantSince.set(server, since);
    return Math.floor((clock.now() - since) / (leaseMs * TURN));
  }

  /** Makes this node the owner of a server, unless another node is faster. */
  claim(server: string, replaces: OwnerRecord | undefined): void {
    if (this.changing.has(server)) return;
    this.claims.add(server);
    this.change(server, async () => {
      const { owners, id, name, directory, gone } = this.parts;
      if (replaces !== undefined && !(await gone.isGone(replaces.node))) return undefined;
      const current = await owners.get(keyOf(server));
      if (!isOf(current, replaces)) return this.correct(server, replaces, current);
      const epoch = Math.max(directory.nextEpoch, epochOf(current?.value) + 1);
      const record = encodeRecord({ node: id, name, epoch });
      if (current === undefined) await owners.create(keyOf(server), record);
      else await owners.update(keyOf(server), record, current.revision);
      return (owner) => (owner?.epoch ?? 0) >= epoch;
    });
  }

  /** Releases a server after its run here has ended. */
  release(server: string, owner: OwnerRecord, ended: Promise<void>): void {
    this.change(server, async () => {
      await ended;
      const { owners } = this.parts;
      const current = await owners.get(keyOf(server));
      if (current === undefined || !isOf(current, owner)) return this.correct(server, owner, current);
      await owners.update(keyOf(server), encodeRecord({ epoch: owner.epoch }), current.revision);
      return (heard) => heard?.epoch !== owner.epoch;
    });
  }

  /** Deletes the ownership of a server that the cluster no longer has, after its run here has ended. */
  forget(server: string, owner: OwnerRecord, ended: Promise<void>): void {
    this.vacantSince.delete(server);
    this.change(server, async () => {
      await ended;
      return this.deleted(server, owner);
    });
  }

  /** Deletes the ownership of a server that the cluster no longer has, if its owner is gone and cannot delete it. */
  clear(server: string, owner: OwnerRecord): void {
    this.vacantSince.delete(server);
    this.change(server, async () => {
      const { gone, servers } = this.parts;
      if (!(await gone.isGone(owner.node))) return undefined;
      // A watch may deliver a server's record late.
      if ((await servers.get(keyOf(server))) !== undefined) return undefined;
      return this.deleted(server, owner);
    });
  }

  /** Releases the servers of this node, except the servers that wait for a node of its name. */
  async releaseAll(): Promise<void> {
    const { directory, id } = this.parts;
    for (const [server, owner] of directory.owners) {
      const isHeld = directory.servers.get(server)?.record.failover === 'never';
      if (owner.node === id && !isHeld) this.release(server, owner, Promise.resolve());
    }
    await this.whenIdle();
  }

  /** Resolves when no change is pending. */
  async whenIdle(): Promise<void> {
    while (this.changing.size > 0) await Promise.all(this.changing.values());
  }

  private async deleted(server: string, owner: OwnerRecord): Promise<IsHeard | undefined> {
    const { owners } = this.parts;
    const current = await owners.get(keyOf(server));
    if (current === undefined || !isOf(current, owner)) return this.correct(server, owner, current);
    await owners.delete(keyOf(server), current.revision);
    return (heard) => heard?.epoch !== owner.epoch;
  }

  /** Corrects the directory if the cluster has another owner. The watch is late, or has lost the change. */
  private correct(server: string, known: OwnerRecord | undefined, read: BucketEntry | undefined): undefined {
    const { directory, logger } = this.parts;
    logger.log('debug', 'the owner of a server is another one than this node knows', { server });
    // A change that the watch has delivered meanwhile is later than the record that was read.
    if (directory.owners.get(server) === known) directory.readOwner(server, read);
  }

  private change(server: string, work: () => Promise<IsHeard | undefined>): void {
    if (this.changing.has(server)) return void this.again.add(server);
    const done = this.heard(server, work).catch((error: unknown) => {
      // Another node was faster, or the connection is lost. The next tick checks again.
      const isExpected = error instanceof ClusterError;
      const { logger } = this.parts;
      logger.log(isExpected ? 'debug' : 'error', 'the owner of a server was not changed', {
        server,
        problem: messageOf(error),
      });
    });
    this.changing.set(
      server,
      done.then(() => this.over(server)),
    );
  }

  private over(server: string): void {
    this.changing.delete(server);
    this.claims.delete(server);
    if (this.again.delete(server)) this.parts.lookAgain(server);
  }

  private async heard(server: string, work: () => Promise<IsHeard | undefined>): Promise<void> {
    const { directory, clock, leaseMs } = this.parts;
    const isHeard = await this.inLine(work);
    if (isHeard !== undefined) await waitAtMost(leaseMs, directory.untilOwner(server, isHeard), clock);
  }

  private async inLine<Result>(work: () => Promise<Result>): Promise<Result> {
    const leave = await this.limit.acquire();
    try {
      return await work();
    } finally {
      leave();
    }
  }
}

/** True if a record names this owner; undefined means that there is no owner. */
function isOf(entry: BucketEntry | undefined, owner: OwnerRecord | undefined): boolean {
  const named = entry && ownerRecord(entry.value);
  return named?.node === owner?.node && named?.epoch === owner?.epoch;
}
