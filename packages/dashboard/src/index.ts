export { createDashboard, type Dashboard, type DashboardOptions } from './dashboard.js';
export type {
  About,
  CallSummary,
  ChangedConfig,
  ConfigChange,
  ConfigEditor,
  ConfigEntry,
  SearchRegistry,
} from './api/dashboard-parts.js';
export type { PageRights } from './entrance/one-time-links.js';
