import type { AllLimits, Clock, HostLogger, Limits } from '@mcpmux/kit';
import type { LoginStore } from '@mcpmux/remote';
import type { Sandbox } from '@mcpmux/sandbox';
import type { AddPolicy } from '../tools/policy/add-policy.js';
import type { InstanceDirectory } from '../tools/context/instances.js';
import type { ServerStore } from '../tools/context/server-store.js';
import type { ExposureOptions } from '../catalog/exposure/exposure-options.js';
import type { ApprovalStore } from '../guards/approval-desk.js';
import type { SpawnProcess } from '../process/server-process.js';
import type { Era } from '../server/dialect/era.js';
import type { CommandValue } from '../server/config/server-config.js';
import type { Implementation } from '../server/dialect/server-identity.js';
import type { PinMode } from '../server/lists/tool-pins.js';

/** Settings of a mux. Each has a default. */
export interface MuxOptions {
  /** The name and version that the mux reports to clients and servers. */
  readonly implementation?: Implementation;
  /** Maximum length of the tool names in the clients' lists, in characters; at least 16. Longer names are shortened. */
  readonly nameBudget?: number;
  readonly limits?: Partial<Limits>;
  /**
   * Restricts the tool `add_server`, and the tools `remove_server` and `reload_server` for servers that the caller did
   * not add. When absent, stdio clients and the host itself are not restricted, and `deny` applies to all other
   * clients. Does not apply to {@link Mux.addServer}.
   */
  readonly addPolicy?: AddPolicy;
  /** The reaction to a tool definition that differs from its pin. Default: `warn`, which only reports the change. */
  readonly pinTools?: PinMode;
  /** Selects the tools in each client's `tools/list`. Default: all tools. {@link Mux.expose} overrides this setting. */
  readonly exposure?: ExposureOptions;
  /**
   * The era that mcpmux tries first with a server whose era is unknown. Default: with one client, its era; with several
   * clients, `modern`; without clients, `legacy`. A host that expects many clients should set `modern`.
   */
  readonly firstEra?: Era;
  /**
   * The era of servers whose configuration has no `protocol`. Default: `auto`, which detects the era of each server.
   */
  readonly protocol?: 'auto' | Era;
  /**
   * If true, each client's first `tools/list` waits up to `firstListMs` for starting servers. A request without a
   * session waits only for servers that began to start less than `firstListMs` ago. True when absent.
   */
  readonly waitForServers?: boolean;
  /**
   * True if the clients are windows of one user. They share the host's servers but cannot remove them. A server that a
   * client adds is available only to that client, unless it sets `scope: "all"`. False when absent.
   */
  readonly hasWindows?: boolean;
  /**
   * 32-byte key that seals the `requestState` of input-required results (revision 2026-07-28); random when absent. Only
   * the mux that received a call can continue it. Another mux with the same key refuses the retry and states why.
   */
  readonly requestStateKey?: Uint8Array;
}

/** Replaceable components of a mux. All are optional. */
export interface MuxComponents {
  /** Receives log records: a `Logger`, `console`, or a logger such as pino's. When absent, nothing is logged. */
  readonly logger?: HostLogger;
  readonly clock?: Clock;
  /** Overrides internal limits. Intended for tests only. */
  readonly limits?: Partial<AllLimits>;
  /** Starts server processes. */
  readonly spawn?: SpawnProcess;
  /** Confines servers whose configuration has `sandbox`. Without it, such servers do not start. */
  readonly sandbox?: Sandbox;
  /** Runs the `commands` of server configurations. Without it, servers with `commands` do not start. */
  readonly commandValue?: CommandValue;
  /** Stores the user's logins, for servers whose configuration sets `login`. */
  readonly logins?: LoginStore;
  /** The environment variables that servers inherit. Default: those in `process.env` of the host. */
  readonly environment?: NodeJS.ProcessEnv;
  /** Persists approvals of calls across restarts. Without a store, an approval lasts at most as long as its session. */
  readonly approvals?: ApprovalStore;
  /** Stores the servers that agents add with `persist`. Without a store, such additions are refused. */
  readonly persist?: ServerStore;
  /**
   * Loads the HTML page that displays the result of `list_servers` (MCP Apps), for clients that declare
   * `io.modelcontextprotocol/ui`. When absent, the tool has no page. The package `@mcpmux/dashboard` provides one.
   */
  readonly overviewApp?: () => Promise<string>;
  /** Finds other mcpmux instances. Without it, clients do not get the tools for instances. */
  readonly instances?: InstanceDirectory;
}
