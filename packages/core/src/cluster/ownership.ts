import { messageOf } from '../base/errors.js';
import type { Clock } from '../base/clock.js';
import type { Logger } from '../base/logger.js';
import { Semaphore } from '../base/semaphore.js';
import { ClusterError, type Bucket, type BucketEntry } from './cluster.js';
import type { Directory } from './directory.js';
import type { NodeView } from './placement.js';
import { encodeRecord, epochOf, keyOf, nodeRecord, ownerRecord, type OwnerRecord } from './records.js';

/** The dependencies of an {@link Ownership}. */
export interface OwnershipParts {
  readonly id: string;
  readonly name: string;
  readonly owners: Bucket;
  readonly nodes: Bucket;
  readonly directory: Directory;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly leaseMs: number;
}

const CONCURRENT_CHANGES = 16;
/** How long a node that comes before this one has to claim a server, in parts of a lease. */
const TURN = 0.2;

/** Claims servers for this node, and releases them. One change of a server at a time. */
export class Ownership {
  private readonly changing = new Map<string, Promise<void>>();
  private readonly limit = new Semaphore(CONCURRENT_CHANGES);
  /** Since when servers have no owner that lives. */
  private readonly vacantSince = new Map<string, number>();

  constructor(private readonly parts: OwnershipParts) {}

  /** How many nodes before this one had their time to claim a server. */
  missedTurns(server: string, nodes: ReadonlyMap<string, NodeView>): number {
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

  /** Makes this node the owner of a server, unless another one was faster. */
  claim(server: string, replaces: OwnerRecord | undefined): void {
    this.change(server, async () => {
      const { owners, id, name, directory } = this.parts;
      if (replaces !== undefined && !(await this.isGone(replaces.node))) return;
      const current = await owners.get(keyOf(server));
      if (!isOf(current, replaces)) return;
      const epoch = Math.max(directory.nextEpoch, epochOf(current?.value) + 1);
      const record = encodeRecord({ node: id, name, epoch });
      if (current === undefined) await owners.create(keyOf(server), record);
      else await owners.update(keyOf(server), record, current.revision);
    });
  }

  /** Gives a server away, when nothing of it runs here any more. */
  release(server: string, owner: OwnerRecord, ended: Promise<void>): void {
    this.change(server, async () => {
      await ended;
      const { owners } = this.parts;
      const current = await owners.get(keyOf(server));
      if (current === undefined || !isOf(current, owner)) return;
      await owners.update(keyOf(server), encodeRecord({ epoch: owner.epoch }), current.revision);
    });
  }

  /** The same for a server that the cluster no longer has. */
  forget(server: string, owner: OwnerRecord, ended: Promise<void>): void {
    this.change(server, async () => {
      await ended;
      const { owners } = this.parts;
      const current = await owners.get(keyOf(server));
      if (current !== undefined && isOf(current, owner)) await owners.delete(keyOf(server), current.revision);
    });
  }

  /** Gives the servers of this node away, but for those that wait for a node of its name. */
  async releaseAll(): Promise<void> {
    const { directory, id } = this.parts;
    for (const [server, owner] of directory.owners) {
      const isHeld = directory.servers.get(server)?.record.failover === 'never';
      if (owner.node === id && !isHeld) this.release(server, owner, Promise.resolve());
    }
    await this.whenIdle();
  }

  /** Resolves when no change is on its way. */
  async whenIdle(): Promise<void> {
    while (this.changing.size > 0) await Promise.all(this.changing.values());
  }

  /** Reads the lease of a node from the cluster: what this node remembers of it may be old. */
  private async isGone(node: string): Promise<boolean> {
    const { nodes, directory, logger } = this.parts;
    const lease = await nodes.get(node);
    if (lease === undefined) return true;
    if (nodeRecord(lease.value)?.renewal !== directory.renewalOf(node)) return false;
    // Its lease has run out: nobody needs its record any more.
    await nodes.delete(node, lease.revision);
    logger.log('warn', 'a node of the cluster is gone: other nodes take its servers', { node });
    return true;
  }

  private change(server: string, work: () => Promise<void>): void {
    if (this.changing.has(server)) return;
    const done = this.inLine(work).catch((error: unknown) => {
      // Another node was faster, or the connection is lost: the next tick looks again.
      const isExpected = error instanceof ClusterError;
      const { logger } = this.parts;
      logger.log(isExpected ? 'debug' : 'error', 'the owner of a server was not changed', {
        server,
        problem: messageOf(error),
      });
    });
    this.changing.set(
      server,
      done.then(() => void this.changing.delete(server)),
    );
  }

  private async inLine(work: () => Promise<void>): Promise<void> {
    const leave = await this.limit.acquire();
    try {
      await work();
    } finally {
      leave();
    }
  }
}

/** Whether a record names an owner; undefined for nobody. */
function isOf(entry: BucketEntry | undefined, owner: OwnerRecord | undefined): boolean {
  const named = entry && ownerRecord(entry.value);
  return named?.node === owner?.node && named?.epoch === owner?.epoch;
}
