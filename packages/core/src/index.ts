export { createMux } from './mux.js';
export type {
  AddOptions,
  ClientSession,
  ConnectOptions,
  Link,
  Mux,
  MuxComponents,
  MuxOptions,
} from './mux-api.js';
export type { RememberedLists } from './upstream/remembered-lists.js';
export type { ToolShown, ToolView } from './upstream/tool-view.js';
export type { MuxEvent, MuxEventMap, MuxEventName } from './mux-events.js';

export type { CallOptions, CallToolResult, Progress } from './downstream/local-client.js';
export type { AddPolicy, AddPolicyMode, AllowedCommand } from './management/add-policy.js';
export type { ServerStore } from './management/server-store.js';
export type { Instance, InstanceDirectory } from './management/instances.js';
export type { AuditRecord } from './management/audit.js';
export type { LastError, ServerStatus } from './management/server-status.js';
export type { Implementation } from './upstream/handshake.js';
export type { PinMode, PinReason } from './upstream/tool-pins.js';
export type { ClientRequestKind } from './upstream/client-request-permission.js';
export type {
  HealthConfig,
  ProcessConfig,
  ReloadMode,
  RemoteConfig,
  RestartMode,
  ServerConfig,
} from './upstream/server-config.js';
export type { ClientCredentials, RemoteEndpoint, RemoteTransportKind } from './remote/remote-endpoint.js';
export { logIn, type AuthorizationAnswer, type LoginInit } from './remote/login.js';
export type { Login, LoginStore } from './remote/login-store.js';
export type {
  Fetch,
  LoadRemoteTransports,
  RemoteSendOptions,
  RemoteTransport,
  RemoteTransportInit,
  RemoteTransports,
} from './remote/remote-transport.js';
export type { EnvironmentInheritance } from './process/environment.js';
export type { IsolationMode } from './upstream/isolation.js';
export type { SdkTransport } from './wire/sdk-transport.js';
export { maskArgs, type MaskedArgs } from './process/mask-secrets.js';
export { isSecretName } from './process/secret-name.js';
export type { StreamPair } from './wire/stream-channel.js';

export type {
  Guard,
  GuardAnswer,
  GuardContext,
  GuardHandler,
  GuardedMethod,
  GuardedParams,
  ParamsOf,
} from './guards/guard.js';
export { GuardRefusal, type RefusalInit } from './guards/guard-refusal.js';
export { resultAnswer } from './guards/answers.js';
export { HOST, type Principal } from './guards/principal.js';
export { MuxError, type MuxErrorCode } from './errors.js';
export { DEFAULT_LIMITS, type Limits } from './limits.js';
export { systemClock, type Clock, type Timer } from './clock.js';
export { nullLogger, type LogFields, type Logger, type LogLevel } from './logger.js';
export { spawnProcess, type SpawnProcess } from './process/server-process.js';
export type { ProcessSpec } from './process/process-spec.js';
