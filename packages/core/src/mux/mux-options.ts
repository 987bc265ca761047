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
  /** Name and version that the mux sends to clients and servers in `initialize`. */
  readonly implementation?: Implementation;
  /** Maximum length of a tool name that clients see, in characters. Longer names are shortened. At least 16. */
  readonly nameBudget?: number;
  readonly limits?: Partial<Limits>;
  /**
   * Restricts the tool `add_server`, and `remove_server` and `reload_server` for servers that their caller has not
   * added. When absent: no restriction for stdio (two byte streams) and for the host itself, `deny` for every other
   * link. Does not apply to {@link Mux.addServer}.
   */
  readonly addPolicy?: AddPolicy;
  /** Action when a tool's definition changes after it was first listed. Default: `warn`, which only reports it. */
  readonly pinTools?: PinMode;
  /** Selects the tools in each client's `tools/list`. Default: all. {@link Mux.expose} replaces this setting. */
  readonly exposure?: ExposureOptions;
  /**
   * The era that mcpmux tries first with a server of unknown era. Default: the era of the only client; `modern` for
   * several clients; `legacy` for none. A host that expects many clients sets `modern`.
   */
  readonly firstEra?: Era;
  /**
   * The era of servers whose configuration has no `protocol`. Default: `auto`, which detects the era of each server.
   */
  readonly protocol?: 'auto' | Era;
  /**
   * If true, each client's first `tools/list` waits for starting servers, for at most `firstListMs`. A request without
   * a session waits only for servers that have been starting for less than that. True when absent.
   */
  readonly waitForServers?: boolean;
  /**
   * True if the clients are windows of one user. They share the host's servers and cannot remove them. A server that a
   * client adds is for that client only, unless the client sets `scope: "all"`. False when absent.
   */
  readonly hasWindows?: boolean;
  /**
   * Key of 32 bytes that seals the `requestState` of answers with questions (revision 2026-07-28); random when absent.
   * A call continues only in the mux that received it. Another mux with this key refuses the retry and states why.
   */
  readonly requestStateKey?: Uint8Array;
}

/** Replaceable components of a mux. All are optional. */
export interface MuxComponents {
  /** The destination of log records: a `Logger`, `console`, or a logger such as pino's; none when absent. */
  readonly logger?: HostLogger;
  readonly clock?: Clock;
  /** Overrides internal limits, for tests. No host needs to set them. */
  readonly limits?: Partial<AllLimits>;
  /** Starts server processes. */
  readonly spawn?: SpawnProcess;
  /** Confines servers whose configuration has `sandbox`. Without it, these servers do not start. */
  readonly sandbox?: Sandbox;
  /** Runs the commands of configurations that have `commands`. Without it, these servers do not start. */
  readonly commandValue?: CommandValue;
  /** Stores the user's logins, for servers whose configuration sets `login`. */
  readonly logins?: LoginStore;
  /** The environment that servers inherit. Default: the environment of the host's process. */
  readonly environment?: NodeJS.ProcessEnv;
  /** Stores approvals of calls for later muxes. Without a store, an approval lasts at most as long as its session. */
  readonly approvals?: ApprovalStore;
  /** Stores servers that agents add with `persist`. Without a store, `persist` is refused. */
  readonly persist?: ServerStore;
  /**
   * Reads the HTML of a page that shows the result of `list_servers` (MCP Apps), for clients that declare
   * `io.modelcontextprotocol/ui`. When absent, the tool has no page. The package `@mcpmux/dashboard` has one.
   */
  readonly overviewApp?: () => Promise<string>;
  /** Finds other instances of mcpmux. Clients get the tools for instances only if this is set. */
  readonly instances?: InstanceDirectory;
}
