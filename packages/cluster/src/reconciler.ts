import { ClusterError } from './cluster.js';
import type { Directory } from './directory.js';
import type { Ownership } from './ownership.js';
import { decide, MOVING, noOwnerReason, type NodeView, type PlacementView } from './placement.js';
import type { ServerLocation, ServerLocations } from './server-locations.js';
import type { NodeState, ServerRecord } from './records.js';

/** The node whose servers a {@link Reconciler} manages. */
export interface ReconciledNode {
  readonly id: string;
  /** The maximum number of servers that the node runs. */
  readonly capacity: number;
  readonly record: () => NodeState;
  /** Returns false if the node cannot reach the cluster or its lease has expired. */
  readonly isMember: () => boolean;
  /** Returns false if other nodes may take over this node's servers now or soon. */
  readonly hasLease: () => boolean;
  readonly ownership: () => Ownership | undefined;
}

const LEASE_EXPIRED_REASON = 'this node cannot renew its lease, and the server is a singleton';
const NOT_CONNECTED_REASON = 'this node has no connection to the cluster';

/** Makes one node agree with the directory by claiming, releasing or moving each changed server. */
export class Reconciler {
  private readonly changedServers = new Set<string>();
  private hasAllChanged = true;
  private isReconciling = false;

  constructor(
    private readonly node: ReconciledNode,
    private readonly directory: Directory,
    private readonly places: ServerLocations,
  ) {}

  /** Marks one server, or all servers if `server` is undefined, for the next reconciliation. */
  markChanged(server?: string): void {
    if (server === undefined) this.hasAllChanged = true;
    else this.changedServers.add(server);
  }

  /** Reconciles all marked servers. Does nothing while the directory is incomplete. */
  reconcile(): void {
    const { directory, changedServers, places } = this;
    if (this.isReconciling || !directory.isComplete) return;
    this.isReconciling = true;
    const nodes = this.nodeViews();
    const allServers = this.hasAllChanged ? [...directory.servers.keys(), ...places.byName.keys()] : [];
    const names = new Set([...allServers, ...changedServers]);
    this.hasAllChanged = false;
    changedServers.clear();
    for (const name of names) this.reconcileServer(name, nodes);
    this.isReconciling = false;
  }

  /** @throws ClusterError UNAVAILABLE if this node still owns servers that it must release to another node */
  assertDrained(): void {
    const nodes = this.nodeViews();
    const remainingServers = [...this.directory.servers.keys()].filter(
      (server) => decide(this.placementView(server, nodes)).kind === 'release',
    );
    if (remainingServers.length > 0) throw notDrainedError(this.node.record().name, remainingServers);
  }

  private reconcileServer(server: string, nodes: ReadonlyMap<string, NodeView>): void {
    const { directory, node, places } = this;
    const knownServer = directory.servers.get(server);
    if (knownServer === undefined) return this.remove(server, nodes);
    const view = this.placementView(server, nodes);
    const decision = node.isMember() ? decide(view) : undefined;
    if (decision?.kind === 'claim' && node.record().servers < node.capacity)
      node.ownership()?.claim(server, decision.replaces);
    if (decision?.kind === 'release') {
      const runEnd = places.move(server, { kind: 'nowhere', record: knownServer.record, reason: MOVING });
      return node.ownership()?.release(server, decision.owner, runEnd);
    }
    void places.move(server, this.locationFor(view, knownServer));
  }

  /** Ends a removed server here. Deletes its owner record if this node is the owner or the owner is gone. */
  private remove(server: string, nodes: ReadonlyMap<string, NodeView>): void {
    const { node, directory } = this;
    const runEnd = this.places.move(server, { kind: 'gone' });
    const owner = directory.owners.get(server);
    if (owner?.node === node.id) node.ownership()?.deleteOwnership(server, owner, runEnd);
    else if (owner !== undefined && node.isMember() && nodes.get(owner.node)?.isAlive !== true)
      node.ownership()?.deleteGoneOwnership(server, owner);
  }

  private nodeViews(): ReadonlyMap<string, NodeView> {
    const { id, record } = this.node;
    return this.directory.nodes({ id, record: record() });
  }

  private placementView(server: string, nodes: ReadonlyMap<string, NodeView>): PlacementView {
    const { directory, node } = this;
    const rules = directory.servers.get(server)?.record ?? {};
    const expiredClaimDelays = node.ownership()?.expiredClaimDelays(server, nodes) ?? 0;
    return { server, rules, owner: directory.owners.get(server), nodes, me: node.id, expiredClaimDelays };
  }

  private locationFor(view: PlacementView, known: { record: ServerRecord }): ServerLocation {
    const { owner, rules, me, nodes } = view;
    if (owner?.node === me) {
      if (rules.singleton === true && !this.node.hasLease())
        return { kind: 'nowhere', record: known.record, reason: LEASE_EXPIRED_REASON };
      return { kind: 'here', ...known, epoch: owner.epoch };
    }
    if (owner !== undefined && nodes.get(owner.node)?.isAlive === true)
      return { kind: 'there', record: known.record, node: owner.node, name: owner.name, epoch: owner.epoch };
    const reason = this.node.isMember() ? noOwnerReason(view) : NOT_CONNECTED_REASON;
    return { kind: 'nowhere', record: known.record, reason };
  }
}

function notDrainedError(node: string, servers: readonly string[]): ClusterError {
  const count = servers.length === 1 ? 'a server' : `${servers.length} servers`;
  const message =
    `Node ${node} still owns ${count} that another node may run: ${servers.join(', ')}. ` +
    'The cluster has not taken the change. The node takes no more servers, and gives these away when it can. ' +
    'Drain it again to wait for that.';
  return new ClusterError('UNAVAILABLE', message);
}
