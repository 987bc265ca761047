import type { StreamPair } from '@mcpmux/wire';
import type { EnvironmentInheritance } from '../../process/environment.js';
import type { ClientCredentials, RemoteTransportKind } from '../../remote/remote-endpoint.js';
import type { ClientRequestKind } from '../../dialect/client-requests.js';
import type { IsolationMode } from './isolation.js';

/** Whether a server whose run ends by itself is started again: not after exit code 0 when it is `on-failure`. */
export type RestartMode = 'never' | 'on-failure' | 'always';

/**
 * How a reload replaces the run of a server. `restart` ends it and starts the next one. `swap` starts the next one beside
 * it, which takes over once it runs; until then, and if it fails, the old one serves. Not for servers that hold a port,
 * a lock or a file that there is only one of.
 */
export type ReloadMode = 'restart' | 'swap';

/**
 * How a server is asked whether it still works: by a `ping` when it has sent nothing for the interval, or by one of its
 * tools at each interval.
 */
export interface HealthConfig {
  /**
   * A tool of it, as the server calls it, that is called without arguments. An error and a result with `isError` count as
   * no answer, whatever else it sends.
   */
  readonly tool?: string;
  /** Silence after which it is sent a `ping`, or the time between two calls of the tool, in milliseconds. */
  readonly intervalMs: number;
  /** What it has for the answer, in milliseconds; 10,000 when absent. */
  readonly timeoutMs?: number;
  /** Pings or calls without an answer, in a row, after which it is stopped as crashed; 3 when absent. */
  readonly failures?: number;
}

/** How a server is started, kept and given up, wherever it runs. What `add_server` takes and `reload_server` keeps. */
interface CommonConfig {
  /** From the launch to the end of the first lists, in milliseconds; `Limits.startTimeoutMs` when absent. */
  readonly startTimeoutMs?: number;
  /** `never` when absent: whoever uses the server decides. Restarts back off, and end when there are too many. */
  readonly restart?: RestartMode;
  /** `restart` when absent. */
  readonly reload?: ReloadMode;
  /** A call is given up that long after its last sign of life, in milliseconds; never when absent. */
  readonly callTimeoutMs?: number;
  /** Not started before a request needs it; at once all the same where nothing is known of what it lists. */
  readonly lazy?: boolean;
  /** Stopped when no request has used it for that long, in milliseconds; the next one starts it again. Never when absent. */
  readonly idleTimeoutMs?: number;
  /**
   * Never asked when absent: many servers work on one thing at a time, and answer no ping while they do. Such a server
   * needs an interval and a timeout above its longest piece of work.
   */
  readonly health?: HealthConfig;
  /** `shared` when absent. `session`, for servers that a host adds: each session gets a run of its own. */
  readonly isolation?: IsolationMode;
  /** What it may not ask the client and its user for; nothing is denied when absent. */
  readonly denyRequests?: readonly ClientRequestKind[];
}

/** A server that is a program, spoken to over its stdin and stdout. */
export interface ProcessConfig extends CommonConfig {
  /** A program on the PATH, or a path. No shell is involved. */
  readonly command: string;
  readonly args?: readonly string[];
  /** Merged over what the server inherits. */
  readonly env?: Readonly<Record<string, string>>;
  /** What of the environment of mcpmux it inherits; all of it when absent. */
  readonly inheritEnv?: EnvironmentInheritance;
  /** Working directory of the process; that of mcpmux when absent. */
  readonly cwd?: string;
  readonly url?: never;
}

/** A server that runs elsewhere, spoken to over HTTP. */
export interface RemoteConfig extends CommonConfig {
  /** Where its MCP endpoint is: http or https. A user and a password in it are sent as basic authentication. */
  readonly url: string;
  /** Sent with every request to it, and to no other origin. */
  readonly headers?: Readonly<Record<string, string>>;
  /** For servers that want a token of an authorization server: who mcpmux is there. */
  readonly clientCredentials?: ClientCredentials;
  /** `auto` when absent: Streamable HTTP, and for a server that refuses it the deprecated SSE transport. */
  readonly transport?: RemoteTransportKind;
  /** It is reached with the login of the user, where one is kept for its url (`MuxComponents.logins`). */
  readonly login?: boolean;
  /** Its host name must lead to the public internet, whenever it is connected to. Not for a host that is local by its name. */
  readonly isPublic?: boolean;
  readonly command?: never;
}

/** A server that is reached over streams which a host opens: mcpmux itself knows no sockets. */
export interface StreamConfig extends CommonConfig {
  /** A URI that tells readers where it is. */
  readonly address: string;
  /** Opens a way to it, for one run. Rejects with an error for a reader when there is none. */
  readonly open: () => Promise<StreamPair>;
  /** What to do when it cannot be reached (any more), for a model. */
  readonly advice: string;
  readonly command?: never;
  readonly url?: never;
}

/** One server: a program, or a url. */
export type ServerConfig = ProcessConfig | RemoteConfig;

/** Whether a server runs elsewhere. */
export function isRemote(config: AnyServerConfig): config is RemoteConfig {
  return config.url !== undefined;
}

/** Whatever a server can be. */
export type AnyServerConfig = ServerConfig | StreamConfig;

/** Whether a server is reached over streams of the host. */
export function isStreams(config: AnyServerConfig): config is StreamConfig {
  return 'open' in config;
}
