import type { Socket } from 'node:net';

import type { Selection } from '@mcpmux/config';
import type { Mux } from '@mcpmux/core';
import type { DashboardOptions } from '@mcpmux/dashboard';

import type { CallStats } from './call-stats.js';
import type { SharedMethod } from './admin-methods.js';
import type { WindowOpening } from './read-opening.js';

/** The dependencies of an instance. */
export interface InstanceComponents {
  readonly mux: Pick<
    Mux,
    | 'approvals'
    | 'connect'
    | 'events'
    | 'on'
    | 'listClients'
    | 'listServers'
    | 'reloadServer'
    | 'removeServer'
  >;
  /** The config that the instance serves. */
  readonly config?: string | undefined;
  /** The selection of the config's servers that the instance starts. */
  readonly selection?: Selection | undefined;
  /** Reloads the config. Resolves to the changes, as plain data. */
  readonly reloadConfig: () => Promise<object>;
  /** The instance's page. Absent if it has none. */
  readonly page?: PageHost | undefined;
  /** Present if windows share this process. */
  readonly shared?: SharedInstance | undefined;
}

/** The functions that the page uses to read an instance's past calls. */
export type PageCallReaders = Required<Pick<DashboardOptions, 'callsOf' | 'recentCalls'>>;

/** Serves an instance's page. */
export interface PageHost {
  close(): void;
  /** Sets the functions that read past calls. */
  setCallReaders(calls: PageCallReaders): void;
  /** Returns a URL that opens the page once. The first call starts serving the page. */
  createLink(isReadOnly: boolean): Promise<string>;
  /**
   * Returns a URL that opens the page once, and a file of this user that redirects a browser to the URL. The file
   * exists as long as the URL is valid.
   */
  createOpeningFile(isReadOnly: boolean): Promise<{ readonly url: string; readonly file: string }>;
}

/** The additional parts of an instance that is shared by windows. */
export interface SharedInstance {
  /** The path of the socket that windows connect to. */
  readonly socket: string;
  onWindow(connection: Socket, opening: WindowOpening): void;
  /** Connects another mcpmux to the window with this number. */
  onVisitor(connection: Socket, window: number): void;
  carryOut(method: SharedMethod): object;
}

/** The parts of an instance that a connection can access. */
export type Reachable = InstanceComponents & { readonly stats: CallStats };
