export { createDashboard, type Dashboard, type DashboardOptions } from './dashboard.js';
export type {
  About,
  CallsOf,
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
export type { ClusterShown, ClusterView, NodeShown, PlacedServer } from './data/cluster-view.js';
export { type CallRecord, hasFailed } from './data/call-record.js';
export type { PageRights } from './entrance/one-time-links.js';
export type { UnreadLimits } from './entrance/unread-limits.js';
export { readOverviewApp } from './page-files.js';
export { type ProcessRow, ProcessUsage } from './data/process-usage.js';
export type { CallSummary, Usage } from './data/overview-shown.js';
