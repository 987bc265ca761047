export {
  ClusterError,
  type Bucket,
  type BucketChange,
  type BucketEntry,
  type BucketOptions,
  type Cluster,
  type ClusterErrorCode,
  type Mailbox,
  type Receiver,
} from './cluster.js';
export { CLUSTER_CONTRACT, type ClusterPromise, type ContractEngine } from './contract.js';
export { ClusterNode, type ClusterNodeOptions } from './cluster-node.js';
export type { ClusterHost, Place } from './places.js';
export { type ClusterBuckets, clusterBuckets, Directory, type KnownServer } from './directory.js';
export { ClusterLogins, LOGIN_BUCKET, type ClusterLoginsParts, type LocalLogins } from './cluster-logins.js';
export { ClusterMember, LEASE_MS, type ClusterMemberParts } from './cluster-member.js';
export {
  ClusterServers,
  EPOCH_VARIABLE,
  type ClusterServersParts,
  type RunnableServer,
} from './cluster-servers.js';
export type { Hello } from './frames.js';
export { ClusterLink } from './link.js';
export { Links, type LinksParts, type ServeLink } from './links.js';
export { MemoryCluster, MemoryNetwork, type MemoryNetworkOptions } from './memory-network.js';
export { candidatesFor, type NodeView } from './placement.js';
export {
  loginKeys,
  openLogin,
  recordKeyOf,
  sealLogin,
  type LoginKey,
  type LoginKeys,
  type OpenedLogin,
} from './sealed-login.js';
export {
  encodeRecord,
  keyOf,
  nameOf,
  nodeRecord,
  ownerRecord,
  serverRecord,
  type NodeRecord,
  type NodeState,
  type OwnerRecord,
  type PlacementRules,
  type ServerRecord,
} from './records.js';
