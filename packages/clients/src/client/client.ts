import type { Dialect } from '../dialect/dialect.js';
import type { ClientId } from './client-ids.js';
import type { ClientEnvironment } from '../environment/client-environment.js';
import type { DocumentFormat } from '../document/document-editor.js';

/** The environment that the paths of clients depend on. */
export interface ClientPlaces {
  readonly home: string;
  readonly cwd: string;
  readonly platform: NodeJS.Platform;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** A program that stores a list of MCP servers in a file. */
export interface Client {
  readonly id: ClientId;
  readonly title: string;
  readonly format: DocumentFormat;
  /** The key path of the client's servers. */
  readonly key: readonly string[];
  /** Additional key paths in the same file, such as the servers of one project. */
  readonly furtherKeys?: (cwd: string) => readonly (readonly string[])[];
  /** The user's file; undefined on platforms without this client. */
  readonly userFile: (places: ClientPlaces) => string | undefined;
  /** The project's file, relative to the project. */
  readonly projectFile?: string;
  readonly dialect: Dialect;
  /** The variables that servers get from the client; undefined where nothing is known of it. */
  readonly environment?: ClientEnvironment;
  /** The key of an entry for the seconds that the client waits for a start, where it waits too shortly for `npx`. */
  readonly startTimeoutKey?: string;
}

/** The scope of a client's file. */
export type ClientScope = 'user' | 'project';
