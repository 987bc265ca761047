import type { EnvironmentInheritance } from '../process/environment.js';
import type { ClientRequestKind } from './client-request-permission.js';

/** Whether a server whose run ends by itself is started again: not after exit code 0 when it is `on-failure`. */
export type RestartMode = 'never' | 'on-failure' | 'always';

/** How to run one server over stdio. What `add_server` takes and `reload_server` keeps. */
export interface ServerConfig {
  /** A program on the PATH, or a path. No shell is involved. */
  readonly command: string;
  readonly args?: readonly string[];
  /** Merged over what the server inherits. */
  readonly env?: Readonly<Record<string, string>>;
  /** What of the environment of mcpmux it inherits; all of it when absent. */
  readonly inheritEnv?: EnvironmentInheritance;
  /** Working directory of the process; that of mcpmux when absent. */
  readonly cwd?: string;
  /** From the launch to the end of the first lists, in milliseconds; `Limits.startTimeoutMs` when absent. */
  readonly startTimeoutMs?: number;
  /** `never` when absent: whoever uses the server decides. Restarts back off, and end when there are too many. */
  readonly restart?: RestartMode;
  /** A call is given up that long after its last sign of life, in milliseconds; never when absent. */
  readonly callTimeoutMs?: number;
  /** What it may not ask the client and its user for; nothing is denied when absent. */
  readonly denyRequests?: readonly ClientRequestKind[];
}
