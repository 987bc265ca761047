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
  /** The path of the config file that the instance serves. */
  readonly config?: string | undefined;
  /** Limits which of the config's servers the instance starts. */
  readonly selection?: Selection | undefined;
  /** Reloads the config. Resolves to the changes, as a JSON-serializable object. */
  readonly reloadConfig: () => Promise<object>;
  /** Absent if the instance has no page. */
  readonly page?: PageHost | undefined;
  /** Present if windows share this process. */
  readonly shared?: SharedInstance | undefined;
}

/** The functions that the page uses to read an instance's past calls. */
export type PageCallReaders = Required<Pick<DashboardOptions, 'callsOf' | 'recentCalls'>>;

/** Serves an instance's page. */
export interface PageHost {
  close(): void;
  setCallReaders(calls: PageCallReaders): void;
  /** Returns a single-use URL for the page. The first call starts serving the page. */
  createLink(isReadOnly: boolean): Promise<string>;
  /**
   * Returns a single-use URL for the page, and a private file that redirects a browser to the URL. The file is deleted
   * when the URL has been used or has expired.
   */
  createOpeningFile(isReadOnly: boolean): Promise<{ readonly url: string; readonly file: string }>;
}

/** The additional components of an instance whose process several windows share. */
export interface SharedInstance {
  /** The path of the socket that windows connect to. */
  readonly socket: string;
  onWindow(connection: Socket, opening: WindowOpening): void;
  /** Connects another mcpmux to the window with this number. */
  onVisitor(connection: Socket, window: number): void;
  carryOut(method: SharedMethod): object;
}

/** The components of an instance that a connection can access. */
export type Reachable = InstanceComponents & { readonly stats: CallStats };
