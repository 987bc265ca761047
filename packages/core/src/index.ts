export { createMux } from './mux/mux.js';
export type { AddOptions, RereadServer } from './mux/add-options.js';
export type { ClientLink, ConnectOptions, RequestCaller } from './mux/connect-options.js';
export type { Mux, MuxWorkspace } from './mux/mux-api.js';
export type { MuxComponents, MuxOptions } from './mux/mux-options.js';
export type { HostRequests, ListToolsOptions } from './mux/host-requests.js';
export type { ReloadServerOptions, RemoveServerOptions, ServerPlace } from './mux/server-place.js';
export type { RemovalOptions } from './registry/removal-options.js';
export type { ClientSession } from './mux/client-session.js';
export type { AddedServer } from './mux/added-servers.js';
export type { EraVerdict } from './upstream/config/era-verdicts.js';
export type { ListKind } from './upstream/lists/list-kind.js';
export type { RememberedLists } from './upstream/lists/remembered-lists.js';
export { listedDefinitions, type ListableTool, type ListedBy } from './exposure/listed-definitions.js';
export type { ClientExposure, Exposure, ExposureOptions } from './exposure/exposure-options.js';
export type { ExposureMode, ServerExposure } from './upstream/lists/exposure-mode.js';
export type { ToolLoading } from './upstream/lists/loading-hint.js';
export type { ToolShown, ToolFilter } from './upstream/lists/tool-filter.js';
export type { MissedEvents } from './mux/event-inbox.js';
export type { SessionMessage } from './mux/shown-message.js';
export type {
  EventsOptions,
  ListenOptions,
  MuxEvent,
  MuxEventMap,
  MuxEventName,
  NumberedEvent,
} from './mux/mux-events.js';
export type { NamedServer } from './mux/named-server.js';

export type { CallEnding } from './downstream/request/forwarded-call.js';
export type { ClientStatus } from './downstream/session/client-status.js';
export type { CallOptions, Progress, RequestOptions } from './downstream/session/local-client.js';
export type {
  CallToolResult,
  ContentAnnotations,
  ContentBlock,
  ListedPrompt,
  ListedResource,
  ListedTemplate,
  ListedTool,
  PromptResult,
  ResourceContents,
  ResourceResult,
} from './downstream/session/host-results.js';
export type { AddPolicy, AddPolicyMode, AllowedCommand } from './tools/policy/add-policy.js';
export type { ServerStore } from './tools/context/server-store.js';
export type { Instance, InstanceDirectory } from './tools/context/instances.js';
export type { AuditRecord } from './tools/journal/audit.js';
export type { ChangedTool } from './tools/status/changed-tools.js';
export type { HealthStatus, LastError, ServerStatus } from './tools/status/server-status.js';
export type { Era } from './dialect/era.js';
export type { Implementation } from './dialect/server-identity.js';
export type { PinMode, PinReason } from './upstream/lists/tool-pins.js';
export type { ClientRequestKind } from './dialect/client-requests.js';
export type {
  HealthConfig,
  ProcessConfig,
  ProtocolMode,
  ReloadMode,
  RemoteConfig,
  RestartMode,
  ServerConfig,
  StreamConfig,
  TransportConfig,
  UnusableConfig,
} from './upstream/config/server-config.js';
export type { StatusName } from './upstream/upstream-state.js';
export type { ServerManager } from './upstream/config/server-manager.js';
export { configProblem } from './upstream/config/usable-config.js';
export {
  INSTANCE_HEADER,
  type ClientCredentials,
  type RemoteTransportKind,
} from './remote/remote-endpoint.js';
export { logIn } from './mux/log-in.js';
export type { AuthorizationAnswer, LoginInit } from './remote/login-init.js';
export type { Login, LoginStore } from './remote/login-store.js';
export type { EnvironmentInheritance } from './process/environment.js';
export type { Isolation } from './registry/layers.js';
export type { IsolationMode } from './upstream/config/isolation.js';
export type { Channel, SdkTransport } from '@mcpmux/wire';
export { maskArgs, type MaskedArgs } from './redact/mask-secrets.js';
export { isSecretName } from './redact/secret-name.js';
export type { StreamPair } from '@mcpmux/wire';

export type { GuardedTool } from './catalog/own-tool.js';
export type {
  CallableTool,
  Guard,
  GuardAnswer,
  GuardChange,
  GuardContext,
  GuardHandler,
  GuardNext,
  GuardedMethod,
  GuardedParams,
  NestedCallOptions,
  NestedCalls,
  ParamsOf,
} from './guards/guard.js';
export { GuardRefusal, type RefusalInit } from './guards/guard-refusal.js';
export { resultAnswer } from './guards/answers.js';
export { ANYBODY, HOST, LOCAL, type Principal } from './guards/principal.js';
export { NamespaceError, type NamespaceErrorCode } from '@mcpmux/namespace';
export { messageOf, MuxError, type MuxErrorCode } from './base/errors.js';
export { DEFAULT_LIMITS, type Limits } from './base/limits.js';
export { systemClock, type Clock, type Timer } from './base/clock.js';
export type { HostLogger, LevelLogger } from './base/host-logger.js';
export { guarded, nullLogger, type LogFields, type Logger, type LogLevel } from './base/logger.js';
export { spawnProcess, type SpawnProcess } from './process/server-process.js';
export type { ProcessSpec } from './process/process-spec.js';
export { escapeControls } from './base/escape-controls.js';
