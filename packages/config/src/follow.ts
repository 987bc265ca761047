// The functions that keep the servers of a mux in sync with a changing config file.
export { ConfigReconciler, type ReconcilerComponents } from './config-reconciler.js';
export type { ConfigChange } from './config-change.js';
export { watchConfig } from './watch-config.js';

// The form in which the reconciler registers servers
export { chainVariable } from './config-chain.js';
export { configOf, readyServers, type ReadyServer, registeredServers } from './registered-servers.js';
export type { RegisteredServer } from './registered-servers.js';
