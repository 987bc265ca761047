// For hosts
export { applyConfig, ConfigError, loadConfigFile } from './apply-config.js';
export { type ConfigContext, loadConfig } from './load-config.js';
export type { AppliedConfig, LoadedConfig, LoadedServer } from './loaded-config.js';
export { type Selection, type Wanted, wantedServers } from './wanted-servers.js';
export { formatPath, formatProblem, formatProblemForLog, type ConfigProblem } from './config-problem.js';
export type { ClusterSettings } from './cluster-settings.js';
export type { GuardSettings } from '@mcpmux/core/guards';
export type { HistorySettings } from './history-settings.js';
export type { SandboxChoice } from './sandbox-settings.js';
export type { HttpSettings } from './http-settings.js';
export type { ToolSetting, ToolSettings } from './tool-settings.js';
export { matching } from './name-patterns.js';
export { toolView } from './tool-view.js';
export { ConfigGuards, type ConfigGuardsParts } from './config-guards.js';
export { ConfigCodeMode } from './config-code-mode.js';
export { ConfigExposure } from './config-exposure.js';
export type { CodeModeSettings } from './code-mode-settings.js';
export {
  type ExposureFlags,
  exposureOf,
  type ExposureSettings,
  serverExposureOf,
  type ServerExposureSettings,
} from './exposure-settings.js';
export { type Keyring, systemKeyring } from './keyring.js';

// For tools that edit and check config files
export { configSchema, serverSchema } from './config-schema.js';
export { inputSecret, inputVariable, literalText } from './interpolate.js';
export { type ConfigText, parseConfigText, type Report, type SettingPath } from './config-text.js';
export { type ConfigEntry, type ConfigReading, readConfig } from './read-config.js';
export { sharedEnvironmentIn } from './environment-in.js';
export type { SharedEnvironment } from './shared-environment.js';
export { MUX_KEYS } from './unknown-keys.js';
export { unsetVariables } from './why-misconfigured.js';
