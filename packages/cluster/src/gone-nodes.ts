import type { Logger } from '@mcpmux/kit';
import type { Bucket } from './cluster.js';
import type { Directory } from './directory.js';
import { nodeRecord } from './records.js';

/** How long a node without servers must be silent before its record is removed, in lease durations. */
const REMOVAL_LEASES = 6;
/** The delay between the removal attempts of successive live nodes, in lease durations. */
const DELAY_LEASES = 0.2;

/** Verifies that nodes are gone and removes their records. */
export class GoneNodes {
  private readonly pendingRemovals = new Set<string>();

  constructor(
    private readonly nodes: Bucket,
    private readonly directory: Directory,
    private readonly options: { readonly id: string; readonly leaseMs: number; readonly logger: Logger },
  ) {}

  /**
   * Reads the lease of a node from the cluster, because the local copy may be outdated. Deletes the lease if the node
   * is gone.
   *
   * @returns true if the node is gone
   * @throws ClusterError
   */
  async isGone(node: string): Promise<boolean> {
    const { nodes, directory } = this;
    const { logger } = this.options;
    const previousRenewal = directory.renewalOf(node);
    const leaseEntry = await nodes.get(node);
    if (leaseEntry === undefined) return true;
    const knownRenewal = directory.renewalOf(node);
    // The node may have renewed its lease since the caller found it silent, because claims on its servers are queued.
    if (directory.nodes().get(node)?.isAlive === true) return false;
    const renewal = nodeRecord(leaseEntry.value)?.renewal ?? 0;
    // The replica that was read may lag, so only a renewal newer than the known one proves that the node is alive.
    if (knownRenewal === undefined || renewal > knownRenewal) {
      logger.log('debug', 'a node has given a sign of life that this node has not heard', { node });
      if (knownRenewal === previousRenewal) directory.readNode(node, leaseEntry);
      return false;
    }
    await nodes.delete(node, leaseEntry.revision);
    logger.log('warn', 'a node of the cluster is gone: other nodes take its servers', { node });
    return true;
  }

  /** Removes the records of long-silent nodes without servers. Live nodes use different delays to avoid conflicts. */
  removeSilentNodes(): void {
    const { directory } = this;
    const { id, leaseMs } = this.options;
    const aliveNodes = [...directory.nodes().values()].filter(({ isAlive }) => isAlive);
    const rank = aliveNodes.filter((node) => node.id < id).length;
    const owningNodes = new Set([...directory.owners.values()].map(({ node }) => node));
    for (const node of directory.silentFor(leaseMs * (REMOVAL_LEASES + DELAY_LEASES * rank)))
      if (!owningNodes.has(node)) void this.removeNode(node);
  }

  private async removeNode(node: string): Promise<void> {
    if (this.pendingRemovals.has(node)) return;
    this.pendingRemovals.add(node);
    try {
      if (await this.isGone(node)) this.directory.forgetNode(node);
    } catch {
      // Another node removed the record first, or the cluster is unavailable. A later call retries.
    }
    this.pendingRemovals.delete(node);
  }
}
