import type { ClientCredentials, RemoteTransportKind } from '@mcpmux/remote';
import type { SandboxSettings } from '@mcpmux/sandbox';
import type { SdkTransport, StreamPair } from '@mcpmux/wire';
import type { EnvironmentInheritance } from '../../process/environment.js';
import type { Era } from '../dialect/era.js';
import type { ClientRequestKind } from '../dialect/client-requests.js';
import type { IsolationMode } from './isolation.js';

/** When to restart a server that exits by itself. `on-failure` does not restart it after exit code 0. */
export type RestartMode = 'never' | 'on-failure' | 'always';

/**
 * The order in which a reload replaces a server's run. `restart` ends the old run before it starts the new one. `swap`
 * starts the new run first; the old run serves until the new one is ready, and continues if the new one fails. Do not
 * use `swap` for a server that needs exclusive access to a port, a lock or a file.
 */
export type ReloadMode = 'restart' | 'swap';

/**
 * A server's health check. By default, mcpmux sends a `ping` when the server has sent nothing for `intervalMs`. With
 * `tool`, it calls that tool at every interval instead.
 */
export interface HealthConfig {
  /**
   * The tool to call instead of a `ping`, by its local name. mcpmux calls it without arguments. Only a result without
   * `isError` passes the check; an error, or any other message from the server, does not.
   */
  readonly tool?: string;
  /** How long the server must be silent before a `ping`, or the time between tool calls, in milliseconds. */
  readonly intervalMs: number;
  /** Timeout for the response, in milliseconds; 10,000 when absent. */
  readonly timeoutMs?: number;
  /** How many consecutive checks must fail before mcpmux stops the server and marks it as crashed; 3 when absent. */
  readonly failures?: number;
}

/** The protocol era that mcpmux uses with a server. `auto` detects it. */
export type ProtocolMode = 'auto' | Era;

/** Settings common to all kinds of servers. `add_server` accepts them, and `reload_server` preserves them. */
interface CommonConfig {
  /** Time limit from launch until the first lists are read, in milliseconds; `Limits.startTimeoutMs` when absent. */
  readonly startTimeoutMs?: number;
  /**
   * `never` when absent, because clients decide when to reload. The delay grows with each restart, and mcpmux gives up
   * after too many restarts.
   */
  readonly restart?: RestartMode;
  /** `restart` when absent. */
  readonly reload?: ReloadMode;
  /** A call fails if the server sends no message about it for this long, in milliseconds; no timeout when absent. */
  readonly callTimeoutMs?: number;
  /**
   * If true, the server starts only when a request needs it. If its lists are not yet cached, it starts at once to
   * provide them, and stops after 5 s without a request.
   */
  readonly lazy?: boolean;
  /**
   * Stops the server after this many milliseconds without a request. The next request restarts it. Never when absent.
   */
  readonly idleTimeoutMs?: number;
  /**
   * No health check when absent, because many servers process one request at a time and cannot answer a ping meanwhile.
   * For such a server, the interval and the timeout must exceed the duration of its longest request.
   */
  readonly health?: HealthConfig;
  /** `shared` when absent. `session` gives each session its own instance; only the host can add such a server. */
  readonly isolation?: IsolationMode;
  /**
   * `auto` when absent. `legacy` uses the `initialize` handshake (revisions up to 2025-11-25), and `modern` uses the
   * revisions from 2026-07-28 on; both skip the probe. The deprecated SSE transport supports only `legacy`.
   */
  readonly protocol?: ProtocolMode;
  /** The kinds of request that the server may not send to clients; none is denied when absent. */
  readonly denyRequests?: readonly ClientRequestKind[];
  /**
   * Maps each placeholder to a command (program and arguments). At each start, `MuxComponents.commandValue` runs the
   * command, and its output replaces the placeholder in `args`, `env`, `headers`, `url` and `clientCredentials`.
   */
  readonly commands?: Readonly<Record<string, readonly string[]>> | undefined;
  /** True for a server that an agent added with `add_server` in an earlier mux, and that was persisted. */
  readonly addedByAgent?: boolean;
}

/** A server that is a local program, reached over its stdin and stdout. */
export interface ProcessConfig extends CommonConfig {
  /** A program on the PATH, or a path. No shell is involved. */
  readonly command: string;
  readonly args?: readonly string[];
  /** Environment variables for the server. They override inherited variables with the same name. */
  readonly env?: Readonly<Record<string, string>>;
  /** The part of mcpmux's environment that the server inherits. When absent: all of it, or `safe` in a sandbox. */
  readonly inheritEnv?: EnvironmentInheritance;
  /** Working directory of the process; mcpmux's own when absent. */
  readonly cwd?: string;
  /** Runs the process in {@link MuxComponents.sandbox}, which is then required; not confined when absent. */
  readonly sandbox?: SandboxSettings;
  readonly url?: never;
}

/** A remote server, reached over HTTP. */
export interface RemoteConfig extends CommonConfig {
  /** The http or https URL of the MCP endpoint. A user name and password in it are sent as HTTP Basic credentials. */
  readonly url: string;
  /** Headers sent with every request to the server, but not to other origins. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The OAuth client credentials with which mcpmux requests an access token for the server. */
  readonly clientCredentials?: ClientCredentials;
  /** `auto` when absent. `auto` uses Streamable HTTP or, for a server that refuses it, the deprecated SSE transport. */
  readonly transport?: RemoteTransportKind;
  /** If true, uses the user's stored login for the URL, if there is one (`MuxComponents.logins`). */
  readonly login?: boolean;
  /** If true, the host name must resolve to a public address for every connection, unless it is a local name. */
  readonly publicOnly?: boolean;
  readonly command?: never;
}

/** A server that the host itself runs or connects to. mcpmux reaches it over a transport of an official SDK. */
export interface TransportConfig extends CommonConfig {
  /**
   * A transport that has not been started, or a function that creates a transport for each run. A transport serves one
   * run only, so reloads and restarts need a function.
   */
  readonly transport: SdkTransport | (() => SdkTransport | Promise<SdkTransport>);
  readonly command?: never;
  readonly url?: never;
}

/** A server reached over streams or a transport that the host opens for each run. */
export interface StreamConfig extends CommonConfig {
  /** A URI that identifies the server's location, for display. */
  readonly address: string;
  /**
   * Opens a connection for one run. Without `protocol`, mcpmux may open two connections at once, one for each era.
   * Rejects with a human-readable error if the server cannot be reached.
   */
  readonly open: () => Promise<StreamPair | SdkTransport>;
  /** True if the connection can be opened only once. The server then cannot be restarted or reloaded. */
  readonly isOnceOnly?: boolean;
  /** True if another mux already prefixes this server's questions with the server's name. */
  readonly isNamed?: boolean;
  /** True if another mux runs the server and needs each request's principal. mcpmux sends it, except for `HOST`. */
  readonly sendsPrincipal?: boolean;
  /**
   * True if another mux restarts the server. This mux then reconnects without limit, after a delay of up to about 5
   * seconds.
   */
  readonly isSupervised?: boolean;
  /**
   * Called instead of failing a call when `callTimeoutMs` has elapsed, because another mux enforces the timeout. The
   * host must end the streams if that mux no longer responds. When absent, the call fails.
   */
  readonly late?: () => void;
  /** Advice to the model, appended to the error message when the server cannot be reached. */
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

/** The server start for which a {@link CommandValue} runs a command. */
export interface CommandStart {
  readonly server: string;
  /**
   * Registers the command's process group, so that the group does not outlive mcpmux. Returns a function to call once
   * the group has ended.
   */
  readonly started: (pid: number) => () => void;
  /** Aborted when the start is over, for example because the server was removed. The command must then be killed. */
  readonly signal: AbortSignal;
}

/**
 * Runs a command and resolves to its output.
 *
 * @throws Error with a message that explains why the server cannot start, without secrets
 */
export type CommandValue = (command: readonly string[], start: CommandStart) => Promise<string>;

/** The configuration of a server that is a local program or has a URL. */
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

/** True for a server whose streams or transport the host opens. */
export function isStreams(config: AnyServerConfig): config is StreamConfig {
  return 'open' in config;
}

/** True for a server that is registered as failed and never starts. */
export function isUnusable(config: AnyServerConfig): config is UnusableConfig {
  return 'problem' in config;
}
