export { createMux } from './mux/mux.js';
export type { AddOptions, RereadServer } from './mux/add-options.js';
export type { WaitSignal } from './client/session/stateless-messages.js';
export type { ClientLink, ConnectOptions, RequestCaller } from './mux/connect-options.js';
export type { Mux, MuxWorkspace } from './mux/mux-api.js';
export type { MuxComponents, MuxOptions } from './mux/mux-options.js';
export type { HostRequests, ListToolsOptions } from './mux/host-requests.js';
export type {
  ReloadServerOptions,
  RemoveServerOptions,
  ServerPlace,
  NamedServer,
} from './mux/server-place.js';
export type { RemovalOptions } from './server/registry/fleet.js';
export type { ClientSession } from './mux/client-session.js';
export type { AddedServer } from './mux/added-servers.js';
export type { EraVerdict } from './server/config/era-verdicts.js';
export { LIST_KINDS, type ListKind } from './server/lists/list-kind.js';
export type { RememberedLists } from './server/lists/remembered-lists.js';
export {
  listedDefinitions,
  type ListableTool,
  type ListedBy,
} from './catalog/exposure/listed-definitions.js';
export type { ClientExposure, Exposure, ExposureOptions } from './catalog/exposure/exposure-options.js';
export type { ToolLoading } from './server/lists/loading-hint.js';
export type { ExposureMode, ServerExposure, ToolShown, ToolFilter } from './server/lists/tool-filter.js';
export type { ArgumentShape, ToolShape } from './server/lists/tool-shape.js';
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

export type { CallEnding } from './client/request/forwarded-call.js';
export type { ClientStatus } from './client/session/client-status.js';
export {
  LocalClient,
  type CallOptions,
  type Progress,
  type RequestOptions,
} from './client/session/local-client.js';
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
} from './client/session/host-results.js';
export type { AddPolicy, AddPolicyMode, AllowedCommand } from './tools/policy/add-policy.js';
export type { ServerStore } from './tools/context/server-store.js';
export type { Instance, InstanceDirectory } from './tools/context/instances.js';
export type { AuditRecord } from './tools/journal/audit.js';
export type { ChangedTool } from './tools/status/changed-tools.js';
export type { HealthStatus, LastError, SecondRunStatus, ServerStatus } from './tools/status/server-status.js';
export type { Era } from './server/dialect/era.js';
export type { Implementation } from './server/dialect/server-identity.js';
export type { PinMode, PinReason, ToolIdentity } from './server/lists/tool-pins.js';
export type { ClientRequestKind } from './server/dialect/client-requests.js';
export {
  isStreams,
  type AnyServerConfig,
  type CommandStart,
  type CommandValue,
  type HealthConfig,
  type ProcessConfig,
  type ProtocolMode,
  type ReloadMode,
  type RemoteConfig,
  type RestartMode,
  type ServerConfig,
  type StreamConfig,
  type TransportConfig,
  type UnusableConfig,
} from './server/config/server-config.js';
export type { StatusName } from './server/upstream-state.js';
export type { ExternalControl } from './server/config/server-manager.js';
export { configProblem } from './server/config/usable-config.js';
export {
  INSTANCE_HEADER,
  type ClientCredentials,
  type IdentityProvider,
  type RemoteTransportKind,
} from '@mcpmux/remote';
export type { Confined, DomainSettings, Sandbox, SandboxedProgram, SandboxSettings } from '@mcpmux/sandbox';
export { logIn } from './mux/log-in.js';
export { broughtLogin } from '@mcpmux/remote';
export type { AuthorizationAnswer, DevicePrompt, LoginInit } from '@mcpmux/remote';
export type { Login, LoginStore, NeededLogin } from '@mcpmux/remote';
export type { EnvironmentInheritance } from './process/environment.js';
export type { Isolation } from './server/registry/layers.js';
export type { IsolationMode } from './server/config/isolation.js';
export type { Channel, SdkTransport } from '@mcpmux/wire';
export type { StreamPair } from '@mcpmux/wire';

export { OWN_SERVER, RUN_CODE, type GuardedTool } from './catalog/own-tool.js';
export type {
  CallableTool,
  ClientUser,
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
export {
  contentBlocks,
  errorCodeOf,
  messageOf,
  MuxError,
  type MuxErrorCode,
  type MuxErrorData,
} from '@mcpmux/kit';
export { isRecord, parsedJson } from '@mcpmux/kit';
export { DEFAULT_LIMITS, type Limits, systemClock, type Clock, type Timer } from '@mcpmux/kit';
export type { HostLogger, LevelLogger } from '@mcpmux/kit';
export { guarded, nullLogger, type LogFields, type Logger, type LogLevel } from '@mcpmux/kit';
export { findProgram } from '@mcpmux/programs';
export { spawnProcess, type SpawnProcess } from './process/server-process.js';
export type { ProcessSpec } from './process/process-spec.js';
export {
  escapeControls,
  isSecretName,
  maskArgs,
  type MaskedArgs,
  explainingLine,
  Redactor,
} from '@mcpmux/kit';
