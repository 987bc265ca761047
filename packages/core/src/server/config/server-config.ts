import type { ClientCredentials, RemoteTransportKind } from '@mcpmux/remote';
import type { SandboxSettings } from '@mcpmux/sandbox';
import type { SdkTransport, StreamPair } from '@mcpmux/wire';
import type { EnvironmentInheritance } from '../../process/environment.js';
import type { Era } from '../dialect/era.js';
import type { ClientRequestKind } from '../dialect/client-requests.js';
import type { IsolationMode } from './isolation.js';

/** Restart policy for a server that exits by itself. `on-failure` does not restart after exit code 0. */
export type RestartMode = 'never' | 'on-failure' | 'always';

/**
 * The order in which a reload replaces the run of a server. `restart` ends the old run, then starts the new run. `swap`
 * starts the new run first. The old run serves until the new run is ready, and continues if the new run fails. `swap`
 * does not suit servers that hold a port, a lock or a file exclusively.
 */
export type ReloadMode = 'restart' | 'swap';

/**
 * A server's health check. mcpmux sends a `ping` when the server has sent nothing for the interval, or calls one of the
 * server's tools at every interval.
 */
export interface HealthConfig {
  /**
   * The server's own name for the tool to call. mcpmux calls it without arguments. Only a result without `isError`
   * counts as an answer; an error, or any other message from the server, does not.
   */
  readonly tool?: string;
  /** How long the server must be silent before a `ping`, or the time between tool calls, in milliseconds. */
  readonly intervalMs: number;
  /** Timeout for the answer, in milliseconds; 10,000 when absent. */
  readonly timeoutMs?: number;
  /** The number of consecutive unanswered pings or calls before mcpmux stops the server as crashed; 3 when absent. */
  readonly failures?: number;
}

/** The era of the protocol for a server. `auto` detects it. */
export type ProtocolMode = 'auto' | Era;

/** Settings common to all kinds of server. `add_server` accepts them, and `reload_server` keeps them. */
interface CommonConfig {
  /** The timeout from launch until the first lists are read, in milliseconds; `Limits.startTimeoutMs` when absent. */
  readonly startTimeoutMs?: number;
  /**
   * `never` when absent, because clients decide when to reload. Each restart is delayed longer than the one before, and
   * mcpmux gives up after too many restarts.
   */
  readonly restart?: RestartMode;
  /** The mode of a reload. The default is `'restart'`. */
  readonly reload?: ReloadMode;
  /** A call fails after this time without a message for the call, in milliseconds; no timeout when absent. */
  readonly callTimeoutMs?: number;
  /**
   * If true, delays the start until a request needs the server. If its lists are not remembered, the server starts at
   * once, and stops after 5 s without a request.
   */
  readonly lazy?: boolean;
  /** Stops the server after this many milliseconds without a request, until the next request; never when absent. */
  readonly idleTimeoutMs?: number;
  /**
   * No health check when absent, because many servers process one request at a time and do not answer a ping while they
   * process it. For such a server, the interval and the timeout must exceed the duration of its longest request.
   */
  readonly health?: HealthConfig;
  /** `shared` when absent. `session`, only for servers that the host adds, gives each session its own instance. */
  readonly isolation?: IsolationMode;
  /**
   * `auto` when absent. `legacy` uses the `initialize` handshake (revisions up to 2025-11-25), `modern` the revisions
   * from 2026-07-28; both skip the probe. The deprecated transport for servers at URLs supports only `legacy`.
   */
  readonly protocol?: ProtocolMode;
  /** Kinds of request that the server may not send to the client and its user; none is denied when absent. */
  readonly denyRequests?: readonly ClientRequestKind[];
  /**
   * Commands (lists of words) by placeholder. At each start, the output of a command replaces its placeholder in
   * `args`, `env`, `headers`, `url` and `clientCredentials`. `MuxComponents.commandValue` runs them.
   */
  readonly commands?: Readonly<Record<string, readonly string[]>> | undefined;
  /** True for a server that `add_server` persisted for an agent in an earlier mux. */
  readonly addedByAgent?: boolean;
}

/** A server that is a local program, reached over its stdin and stdout. */
export interface ProcessConfig extends CommonConfig {
  /** A program on the PATH, or a path. No shell is involved. */
  readonly command: string;
  readonly args?: readonly string[];
  /** The server's variables, merged over the inherited environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** The part of mcpmux's environment that the server inherits. When absent: all of it, or `safe` in a sandbox. */
  readonly inheritEnv?: EnvironmentInheritance;
  /** Working directory of the process; mcpmux's own when absent. */
  readonly cwd?: string;
  /** Confines the process with {@link MuxComponents.sandbox}, which is then required; not confined when absent. */
  readonly sandbox?: SandboxSettings;
  readonly url?: never;
}

/** A remote server, reached over HTTP. */
export interface RemoteConfig extends CommonConfig {
  /** URL of the MCP endpoint, http or https. A user and a password in the URL are sent as basic authentication. */
  readonly url: string;
  /** Headers sent with every request to the server, but not to other origins. */
  readonly headers?: Readonly<Record<string, string>>;
  /** mcpmux's credentials at the authorization server, for servers that require a token. */
  readonly clientCredentials?: ClientCredentials;
  /** `auto` when absent. `auto` uses Streamable HTTP or, for a server that refuses it, the deprecated SSE transport. */
  readonly transport?: RemoteTransportKind;
  /** If true, uses the user's login for the URL, if one is stored (`MuxComponents.logins`). */
  readonly login?: boolean;
  /** If true, the host name must resolve to a public address for every connection, unless it is a local name. */
  readonly publicOnly?: boolean;
  readonly command?: never;
}

/** A server that the host itself runs or connects to. mcpmux reaches it over a transport of an official SDK. */
export interface TransportConfig extends CommonConfig {
  /**
   * The transport to the server, not started, or a function that creates a transport for each run. A transport serves
   * one run, so reloads and restarts need a function.
   */
  readonly transport: SdkTransport | (() => SdkTransport | Promise<SdkTransport>);
  readonly command?: never;
  readonly url?: never;
}

/** A server reached over streams or a transport that the host opens for each run. */
export interface StreamConfig extends CommonConfig {
  /** URI that identifies the server's location for people. */
  readonly address: string;
  /**
   * Opens a connection for one run. Without `protocol`, mcpmux may have two connections at once, one for each era.
   * Rejects with a human-readable error if the server cannot be reached.
   */
  readonly open: () => Promise<StreamPair | SdkTransport>;
  /** True if the connection can be opened only once. The server then has one run, without restarts or reloads. */
  readonly isOnceOnly?: boolean;
  /** True if this server's questions already begin with its name, because another mux has added it. */
  readonly isNamed?: boolean;
  /** True if the server is in another mux and mcpmux sends it each request's principal, except `HOST`. */
  readonly sendsPrincipal?: boolean;
  /**
   * True if another mux restarts the server. This mux reconnects without a limit, after a delay of at most 5 seconds.
   */
  readonly isSupervised?: boolean;
  /**
   * Called when a call has waited for `callTimeoutMs`. The call does not fail, because another mux enforces the limit;
   * the host ends the streams if that mux no longer answers. When absent, the call fails.
   */
  readonly late?: () => void;
  /** Advice for a model, added to the error when the server cannot be reached. */
  readonly advice: string;
  readonly command?: never;
  readonly url?: never;
}

/** A server that cannot be started, because a setting in its configuration is missing or wrong. */
export interface UnusableConfig extends CommonConfig {
  /** The reason why the server cannot be started. Names settings and variables, but never contains their values. */
  readonly problem: string;
  readonly command?: never;
  readonly url?: never;
}

/** The start of a server for which a command runs. */
export interface CommandStart {
  readonly server: string;
  /**
   * Registers the process group of the command, so that the group does not outlive mcpmux. Returns a function to call
   * when the group has ended.
   */
  readonly started: (pid: number) => () => void;
  /** Aborted when the start has ended, for example because the server was removed. The command must then end. */
  readonly signal: AbortSignal;
}

/**
 * Runs a command and resolves to its output.
 *
 * @throws Error with a message for the server's failure, without secrets
 */
export type CommandValue = (command: readonly string[], start: CommandStart) => Promise<string>;

/** The configuration of one server: a program, or a URL. */
export type ServerConfig = ProcessConfig | RemoteConfig;

/** True for a server reached over HTTP. */
export function isRemote(config: AnyServerConfig): config is RemoteConfig {
  return config.url !== undefined;
}

/** A server of any kind that can be registered, including one over streams that the host opens. */
export type AnyServerConfig = ServerConfig | StreamConfig | UnusableConfig;

/** True for a server whose connection can be opened only once. */
export function isOnceOnly(config: AnyServerConfig): boolean {
  return isStreams(config) && config.isOnceOnly === true;
}

/** True for a server reached over streams that the host opens. */
export function isStreams(config: AnyServerConfig): config is StreamConfig {
  return 'open' in config;
}

/** True for a server that is registered as failed and never starts. */
export function isUnusable(config: AnyServerConfig): config is UnusableConfig {
  return 'problem' in config;
}
