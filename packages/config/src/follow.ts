// The functions that keep the servers of a mux in sync with a changing config file.
export { ConfigReconciler, type ReconcilerComponents } from './config-reconciler.js';
export type { ConfigChange } from './config-change.js';
export { watchConfig } from './watch-config.js';

// The servers as the reconciler registers them
export { chainVariable } from './config-chain.js';
export { configOf, readyServers, type ReadyServer, registeredServers } from './registered-servers.js';
export type { RegisteredServer } from './registered-servers.js';
