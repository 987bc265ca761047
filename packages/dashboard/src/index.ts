export { createDashboard, type Dashboard, type DashboardOptions } from './dashboard.js';
export type {
  About,
  CallsOf,
  CallSummary,
  ChangedConfig,
  ChangeOptions,
  ConfigChange,
  ConfigEditor,
  ConfigEntry,
  LayeredServer,
  PageMux,
  RegistryChoice,
  ServerRegistry,
} from './api/dashboard-parts.js';
export type { ClusterShown, ClusterView, NodeShown, PlacedServer } from './api/cluster-view.js';
export { type CallRecord, hasFailed } from './data/call-record.js';
export type { PageRights } from './entrance/one-time-links.js';
export type { UnreadLimits } from './entrance/unread-limits.js';
export { readOverviewApp } from './page-files.js';
export { type ProcessRow, ProcessUsage, type Usage } from './data/process-usage.js';
