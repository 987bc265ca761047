import type { NodeState, OwnerRecord, PlacementRules } from './records.js';

/** A node's state as this node knows it. */
export interface NodeView {
  readonly id: string;
  readonly record: NodeState;
  /** True if the node's lease is valid, as far as this node knows. */
  readonly isAlive: boolean;
}

/** A decision of this node about one server. */
export type PlacementDecision =
  | { readonly kind: 'stay' }
  /** This node becomes the owner and replaces the current owner, if any. */
  | { readonly kind: 'claim'; readonly replaces: OwnerRecord | undefined }
  /** This node releases the server so that another node can claim it. */
  | { readonly kind: 'release'; readonly owner: OwnerRecord };

/** The input to {@link decide}. */
export interface PlacementView {
  readonly server: string;
  readonly rules: PlacementRules;
  readonly owner: OwnerRecord | undefined;
  readonly nodes: ReadonlyMap<string, NodeView>;
  /** The id of this node. */
  readonly me: string;
  /** The number of claim delays that have passed. A node waits one delay for each node that is preferred to it. */
  readonly expiredClaimDelays: number;
}

/** The reason displayed for a server that no node has claimed yet. */
export const CHOOSING_REASON = 'the cluster is choosing a node for it';
/** The reason displayed for a server that its owner is releasing. */
export const MOVING = 'it moves to another node';

const STAY: PlacementDecision = { kind: 'stay' };

/** Decides whether this node claims or releases a server. Nodes with the same information agree on the owner. */
export function decide(view: PlacementView): PlacementDecision {
  const { owner, me, nodes } = view;
  const ownerNode = owner && nodes.get(owner.node);
  if (owner !== undefined && ownerNode?.isAlive === true) {
    if (owner.node !== me || canRun(view, ownerNode)) return STAY;
    const hasOtherNode = [...nodes.values()].some((node) => node.id !== me && canRun(view, node));
    return hasOtherNode ? { kind: 'release', owner } : STAY;
  }
  const rank = candidatesFor(view).findIndex(({ id }) => id === me);
  return rank !== -1 && rank <= view.expiredClaimDelays ? { kind: 'claim', replaces: owner } : STAY;
}

/** Returns the nodes that may run a server, in order of preference. */
export function candidatesFor(view: PlacementView): readonly NodeView[] {
  return [...view.nodes.values()]
    .filter((node) => canRun(view, node))
    .map((node) => ({ node, weight: rendezvousWeight(view.server, node.id) }))
    .toSorted((one, other) => other.weight - one.weight || (one.node.id < other.node.id ? 1 : -1))
    .map(({ node }) => node);
}

/** Returns the reason why no node runs a server, for display to users. */
export function noOwnerReason({ rules, owner, nodes }: PlacementView): string {
  const aliveNodes = [...nodes.values()].filter(({ isAlive }) => isAlive);
  if (rules.failover === 'never' && owner !== undefined && nodes.get(owner.node)?.isAlive !== true)
    return (
      `its node ${owner.name} is gone, and failover is "never": it waits for a node of that name, ` +
      'and another node may run it when it is removed and added again'
    );
  if (rules.host !== undefined && !aliveNodes.some(({ record }) => record.name === rules.host))
    return `no node named ${rules.host} is there`;
  const labelledNodes = aliveNodes.filter(({ record }) => hasLabels(record, rules));
  if (labelledNodes.length === 0) return `no node has the labels ${(rules.labels ?? []).join(', ')}`;
  if (labelledNodes.every(({ record }) => record.isDraining || isFull(record)))
    return 'every node that may run it is full or is being drained';
  return CHOOSING_REASON;
}

function canRun({ rules, owner }: PlacementView, { id, record, isAlive }: NodeView): boolean {
  const isOwner = id === owner?.node;
  if (!isAlive || record.isDraining || !hasLabels(record, rules)) return false;
  if (rules.host !== undefined && record.name !== rules.host) return false;
  if (rules.failover === 'never' && owner !== undefined && record.name !== owner.name) return false;
  return isOwner || !isFull(record);
}

function hasLabels({ labels }: NodeState, rules: PlacementRules): boolean {
  return (rules.labels ?? []).every((label) => labels.includes(label));
}

function isFull({ servers, capacity }: NodeState): boolean {
  return servers >= capacity;
}

/** Returns a rendezvous hash (FNV-1a with a final mix). Few servers change nodes when a node joins or leaves. */
function rendezvousWeight(server: string, node: string): number {
  let hash = 0x81_1c_9d_c5;
  for (const text of [server, '\n', node])
    for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01_00_01_93);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85_eb_ca_6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2_b2_ae_35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
