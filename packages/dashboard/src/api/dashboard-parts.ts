import type { Limits, Mux, ServerStatus } from '@mcpmux/core';

import type { PageRights, OneTimeLinks } from '../entrance/one-time-links.js';
import type { PageSessions } from '../entrance/page-sessions.js';
import type { UnreadLimits } from '../entrance/unread-limits.js';
import type { CallFeed } from '../data/call-feed.js';
import type { CallSummary } from '../data/overview-shown.js';
import type { ProcessHealth } from '../data/process-health.js';
import type { ProcessUsage } from '../data/process-usage.js';
import type { ClusterView } from '../data/cluster-view.js';

/** A server in the config, even if it is not started. */
export interface ConfigEntry {
  readonly name: string;
  readonly status: 'ready' | 'disabled' | 'misconfigured';
}

/** A change to the config. */
export type ConfigChange =
  | {
      readonly kind: 'add';
      readonly servers: Readonly<Record<string, unknown>>;
      /** The secrets, by the names that the added entries use for them. They are stored in the user's keyring. */
      readonly secrets?: Readonly<Record<string, string>>;
    }
  | { readonly kind: 'remove' | 'enable' | 'disable'; readonly name: string };

/** The outcome of a change to the config, or of a dry run. */
export interface ChangedConfig {
  readonly file: string;
  /** The lines of a diff. Each line begins with a sign and a space. */
  readonly diff: readonly string[];
  /** Warnings for the user before the change is written, for example about a secret in plain text. */
  readonly warnings: readonly string[];
  readonly written: boolean;
  /** Identifies the text of the file from which the diff was made. */
  readonly basis: string;
}

/** Options for a change to the config. */
export interface ChangeOptions {
  /** If true, the change is returned without being written. */
  readonly isDryRun: boolean;
  /** Identifies the expected text of the file. If the file's text differs, the change is refused. */
  readonly basis?: string;
}

/** A server of the mux, with its layer. */
export type LayeredServer = Pick<ServerStatus, 'name' | 'layer' | 'workspace' | 'session'>;

/** Changes the config that the mux uses. */
export interface ConfigEditor {
  /** Returns the entries of the active config. This method must not read a file, because every overview calls it. */
  entries(): readonly ConfigEntry[];
  /** True for a server that the config has started. Servers in other layers may have the same name as an entry. */
  has(server: LayeredServer): boolean;
  /**
   * Makes a change. In a dry run, only returns the diff.
   *
   * @throws Error if the change is not possible
   */
  change(change: ConfigChange, options: ChangeOptions): Promise<ChangedConfig>;
}

/** A way to run a server from a registry, with the values that the user has entered. */
export interface RegistryChoice {
  /** The name of the server in the registry. */
  readonly server: string;
  /** The label of the chosen source. */
  readonly source: string;
  /** The name of the server in the config. */
  readonly name: string;
  /** Values by input id. Secrets are not included. */
  readonly values: Readonly<Record<string, string>>;
  /** The ids of the inputs for which the user has entered a secret. */
  readonly secrets: readonly string[];
}

/** A registry of servers, as the page uses it. Both methods resolve with plain data for the page. */
export interface ServerRegistry {
  /** @throws Error if the registry cannot be read */
  search(words: string): Promise<object>;
  /**
   * Creates the entry for the config. The entry refers to secrets by name.
   *
   * @throws Error if the registry does not have the server or the source
   */
  entry(choice: RegistryChoice): Promise<object>;
}

/** Returns a summary of one server's calls, or undefined before the first call. `layer` distinguishes equal names. */
export type CallsOf = (server: {
  readonly server: string;
  readonly layer?: string | undefined;
}) => CallSummary | undefined;

/** Facts about the mcpmux that serves the page. */
export interface About {
  readonly version: string;
  readonly config?: string | undefined;
  /** The folder in which mcpmux was started. */
  readonly folder?: string | undefined;
  /** Returns the add policy, guards, lists and pins as readable rules, by name. */
  readonly rules?: () => Readonly<Record<string, string>>;
  /** The limits of the mux that differ from the defaults. */
  readonly limits?: Partial<Limits> | undefined;
}

/** The mux, as the page uses it. */
export type PageMux = Pick<
  Mux,
  | 'approvals'
  | 'listChangedTools'
  | 'events'
  | 'handle'
  | 'instanceId'
  | 'lastEvent'
  | 'listClients'
  | 'listServers'
  | 'messages'
  | 'on'
  | 'reloadServer'
  | 'removeServer'
  | 'listUnlistedTools'
>;

/** The dependencies of the handlers. */
export interface DashboardParts {
  readonly mux: PageMux;
  readonly about: About;
  readonly editor?: ConfigEditor | undefined;
  readonly registry?: ServerRegistry | undefined;
  readonly cluster?: ClusterView | undefined;
  readonly callsOf: CallsOf;
  /** Describes a refusal to the page's user. */
  readonly problemOf: (error: unknown) => string;
  readonly callFeed: CallFeed;
  readonly processUsage: ProcessUsage;
  readonly processHealth: ProcessHealth;
  readonly oneTimeLinks: OneTimeLinks;
  readonly sessions: PageSessions;
  readonly unread: UnreadLimits;
  readonly startedAt: number;
  readonly now: () => number;
}

export type { PageRights };
