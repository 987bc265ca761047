import type { Limits, Mux, ServerStatus } from '@mcpmux/core';

import type { PageRights, OneTimeLinks } from '../entrance/one-time-links.js';
import type { PageSessions } from '../entrance/page-sessions.js';
import type { UnreadLimits } from '../entrance/unread-limits.js';
import type { CallFeed } from '../data/call-feed.js';
import type { ProcessHealth } from '../data/process-health.js';
import type { ProcessUsage } from '../data/process-usage.js';
import type { ClusterView } from './cluster-view.js';

/** A server of the config, also one that is not started. */
export interface ConfigEntry {
  readonly name: string;
  readonly status: 'ready' | 'disabled' | 'misconfigured';
}

/** A change of the config. */
export type ConfigChange =
  | {
      readonly kind: 'add';
      readonly servers: Readonly<Record<string, unknown>>;
      /** Secrets by the names with which the added entries refer to them. They go into the keyring of the user. */
      readonly secrets?: Readonly<Record<string, string>>;
    }
  | { readonly kind: 'remove' | 'enable' | 'disable'; readonly name: string };

/** The outcome of a change of the config, or of its rehearsal. */
export interface ChangedConfig {
  readonly file: string;
  /** The lines of a diff, each with a sign and a space before. */
  readonly diff: readonly string[];
  /** Warnings for the user before the change is written, such as a secret in plain text. */
  readonly warnings: readonly string[];
  readonly written: boolean;
  /** Names the text of the file from which the diff was made. */
  readonly basis: string;
}

/** How a change of the config is made. */
export interface ChangeOptions {
  /** Shows the change and makes none. */
  readonly isDryRun: boolean;
  /** The change is refused if the text of the file is no longer the one of this basis. */
  readonly basis?: string;
}

/** A server of the mux, with its layer. */
export type LayeredServer = Pick<ServerStatus, 'name' | 'layer' | 'workspace' | 'session'>;

/** Changes the config that the mux serves. */
export interface ConfigEditor {
  /** The entries of the config that is in force. Called for every overview, so that the call reads no file. */
  entries(): readonly ConfigEntry[];
  /** True for a server that the config has started. Others may have the name of an entry in another layer. */
  has(server: LayeredServer): boolean;
  /**
   * Makes a change, or shows it alone.
   *
   * @throws Error when the change is not possible
   */
  change(change: ConfigChange, options: ChangeOptions): Promise<ChangedConfig>;
}

/** One way to run a server of a registry, with the values that a person has given. */
export interface RegistryChoice {
  /** The name of the server in the registry. */
  readonly server: string;
  /** The label of the chosen source. */
  readonly source: string;
  /** The name that the server gets in the config. */
  readonly name: string;
  /** Values by the ids of inputs. Secrets are not among them. */
  readonly values: Readonly<Record<string, string>>;
  /** The ids of the inputs for which the person has given a secret. */
  readonly secrets: readonly string[];
}

/** A registry of servers, as the page uses it. Both resolve with plain data for the page. */
export interface ServerRegistry {
  /** @throws Error when the registry cannot be read */
  search(words: string): Promise<object>;
  /**
   * Makes the entry of the config. The entry refers to secrets by name.
   *
   * @throws Error when the registry has no such server or source
   */
  entry(choice: RegistryChoice): Promise<object>;
}

/** The number and the times of the calls of a server, in milliseconds. */
export interface CallSummary {
  readonly count: number;
  readonly failed: number;
  readonly running: number;
  readonly p50?: number | undefined;
  readonly p95?: number | undefined;
}

/** The calls of one server so far; undefined before the first. The layer tells the server from others of its name. */
export type CallsOf = (server: {
  readonly server: string;
  readonly layer?: string | undefined;
}) => CallSummary | undefined;

/** Facts about the mcpmux behind the page. */
export interface About {
  readonly version: string;
  readonly config?: string | undefined;
  /** The rules by name, for readers: the add policy, guards, lists, pins. */
  readonly rules?: () => Readonly<Record<string, string>>;
  /** The limits of the mux that are not the default ones. */
  readonly limits?: Partial<Limits> | undefined;
}

/** The mux, as the page uses it. */
export type PageMux = Pick<
  Mux,
  | 'changedTools'
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
  | 'unlistedTools'
>;

/** The dependencies of the handlers. */
export interface DashboardParts {
  readonly mux: PageMux;
  readonly about: About;
  readonly editor?: ConfigEditor | undefined;
  readonly registry?: ServerRegistry | undefined;
  readonly cluster?: ClusterView | undefined;
  readonly callsOf: CallsOf;
  /** The text of a refusal, for the user of the page. */
  readonly problemOf: (error: unknown) => string;
  readonly calls: CallFeed;
  readonly usage: ProcessUsage;
  readonly health: ProcessHealth;
  readonly links: OneTimeLinks;
  readonly sessions: PageSessions;
  readonly unread: UnreadLimits;
  readonly started: number;
  readonly now: () => number;
}

/** The rights of the user behind a request. */
export type { PageRights };
