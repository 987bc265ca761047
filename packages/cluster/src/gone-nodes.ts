import type { Logger } from '@mcpmux/kit';
import type { Bucket } from './cluster.js';
import type { Directory } from './directory.js';
import { nodeRecord } from './records.js';

/** The record of a silent node that owns nothing is removed after this number of leases. */
const SHOWN_LEASES = 6;
/** Delay before the next node in order tries to remove a record, in leases. */
const TURN = 0.2;

/** Verifies which nodes are gone, and removes their records. */
export class GoneNodes {
  private readonly leaving = new Set<string>();

  constructor(
    private readonly nodes: Bucket,
    private readonly directory: Directory,
    private readonly options: { readonly id: string; readonly leaseMs: number; readonly logger: Logger },
  ) {}

  /** Reads a node's lease from the cluster, because the local copy may be old. @throws ClusterError */
  async isGone(node: string): Promise<boolean> {
    const { nodes, directory } = this;
    const { logger } = this.options;
    const before = directory.renewalOf(node);
    const lease = await nodes.get(node);
    if (lease === undefined) return true;
    const known = directory.renewalOf(node);
    // The sign of life has arrived since this node decided, because claims of the node's servers wait for each other.
    if (directory.nodes().get(node)?.isAlive === true) return false;
    const renewal = nodeRecord(lease.value)?.renewal ?? 0;
    // A copy of the bucket may have lost the last signs of life, so an earlier sign does not prove that the node is
    // alive.
    if (known === undefined || renewal > known) {
      logger.log('debug', 'a node has given a sign of life that this node has not heard', { node });
      if (known === before) directory.readNode(node, lease);
      return false;
    }
    // The lease has run out, so the record is no longer needed.
    await nodes.delete(node, lease.revision);
    logger.log('warn', 'a node of the cluster is gone: other nodes take its servers', { node });
    return true;
  }

  /**
   * Removes the records of nodes that own nothing and were silent for a long time. The nodes try one after the other.
   */
  tidy(): void {
    const { directory } = this;
    const { id, leaseMs } = this.options;
    const alive = [...directory.nodes().values()].filter(({ isAlive }) => isAlive);
    const turn = alive.filter((node) => node.id < id).length;
    const owners = new Set([...directory.owners.values()].map(({ node }) => node));
    for (const node of directory.silentFor(leaseMs * (SHOWN_LEASES + TURN * turn)))
      if (!owners.has(node)) void this.remove(node);
  }

  private async remove(node: string): Promise<void> {
    if (this.leaving.has(node)) return;
    this.leaving.add(node);
    try {
      if (await this.isGone(node)) this.directory.forgetNode(node);
    } catch {
      // Another node was faster, or the cluster cannot be changed now. The next call tries again.
    }
    this.leaving.delete(node);
  }
}
