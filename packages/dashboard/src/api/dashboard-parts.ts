import type { Limits, Mux, ServerStatus } from '@mcpmux/core';

import type { PageRights, OneTimeLinks } from '../entrance/one-time-links.js';
import type { PageSessions } from '../entrance/page-sessions.js';
import type { UnreadLimits } from '../entrance/unread-limits.js';
import type { CallFeed } from '../data/call-feed.js';
import type { CallSummary } from '../data/overview-shown.js';
import type { ProcessHealth } from '../data/process-health.js';
import type { ProcessUsage } from '../data/process-usage.js';
import type { ClusterView } from '../data/cluster-view.js';

/** A server entry in the config, even if the server has not been started. */
export interface ConfigEntry {
  readonly name: string;
  readonly status: 'ready' | 'disabled' | 'misconfigured';
}

/** A change to the config. */
export type ConfigChange =
  | {
      readonly kind: 'add';
      readonly servers: Readonly<Record<string, unknown>>;
      /**
       * The secrets, by the names under which the added entries refer to them. They are stored in the user's keyring.
       */
      readonly secrets?: Readonly<Record<string, string>>;
    }
  | { readonly kind: 'remove' | 'enable' | 'disable'; readonly name: string };

/** The outcome of a change to the config, or of a dry run. */
export interface ChangedConfig {
  readonly file: string;
  /** The lines of a diff. Each line begins with a sign and a space. */
  readonly diff: readonly string[];
  /** Warnings for the user before the change is saved, for example about a secret in plain text. */
  readonly warnings: readonly string[];
  readonly written: boolean;
  /** Identifies the version of the file with which the diff was made. */
  readonly basis: string;
}

/** Options for a change to the config. */
export interface ChangeOptions {
  /** If true, returns the change without saving it. */
  readonly isDryRun: boolean;
  /** Identifies the expected version of the file. If the file has changed since, the change is rejected. */
  readonly basis?: string;
}

/** A server of the mux, and its layer. */
export type LayeredServer = Pick<ServerStatus, 'name' | 'layer' | 'workspace' | 'session'>;

/** Changes the config that the mux uses. */
export interface ConfigEditor {
  /** Returns the active config's entries. Must not read a file, because every overview calls this method. */
  entries(): readonly ConfigEntry[];
  /**
   * True for a server that was started from the config. Servers in other layers may have the name of a config entry.
   */
  has(server: LayeredServer): boolean;
  /**
   * Makes a change. In a dry run, only returns the diff.
   *
   * @throws Error if the change is not possible
   */
  change(change: ConfigChange, options: ChangeOptions): Promise<ChangedConfig>;
}

/** A way to run a server from a registry, and the values that the user has entered. */
export interface RegistryChoice {
  /** The server's name in the registry. */
  readonly server: string;
  /** The label of the chosen source. */
  readonly source: string;
  /** The server's name in the config. */
  readonly name: string;
  /** The entered values by input id, except secrets. */
  readonly values: Readonly<Record<string, string>>;
  /** The ids of the inputs for which the user has entered a secret. */
  readonly secrets: readonly string[];
}

/** A registry of servers, as the page uses it. Both methods resolve to JSON-serializable data. */
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

/** Information about the mcpmux that serves the page. */
export interface About {
  readonly version: string;
  readonly config?: string | undefined;
  /** The folder in which mcpmux was started. */
  readonly folder?: string | undefined;
  /** Returns the add policy, guards, lists and pins as rules for people to read, by name. */
  readonly rules?: () => Readonly<Record<string, string>>;
  /** The mux's limits that differ from the defaults. */
  readonly limits?: Partial<Limits> | undefined;
}

/** The members of a mux that the page uses. */
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

/** The dependencies of the request handlers. */
export interface DashboardParts {
  readonly mux: PageMux;
  readonly about: About;
  readonly editor?: ConfigEditor | undefined;
  readonly registry?: ServerRegistry | undefined;
  readonly cluster?: ClusterView | undefined;
  readonly callsOf: CallsOf;
  /** Describes an error to the page's user. */
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
