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
export type { ClusterHost, ServerLocation } from './server-locations.js';
export { type ClusterBuckets, clusterBuckets, Directory, type KnownServer } from './directory.js';
export { ClusterLogins, LOGIN_BUCKET, type ClusterLoginsParts, type LocalLogins } from './cluster-logins.js';
export { ClusterMember, LEASE_MS, type ClusterMemberParts } from './cluster-member.js';
export { EPOCH_VARIABLE, type ClusterServices, type RunnableServer } from './cluster-server.js';
export { ClusterServers } from './cluster-servers.js';
export type { Frame, LinkRequest } from './frames.js';
export { ClusterLink, type LinkParts } from './link.js';
export { Links, type LinksParts, type ServeLink } from './links.js';
export type { MemoryBucket } from './memory-bucket.js';
export { MemoryCluster, MemoryNetwork, type MemoryNetworkOptions } from './memory-network.js';
export { candidatesFor, type NodeView, type PlacementView } from './placement.js';
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
  type VacantRecord,
} from './records.js';
