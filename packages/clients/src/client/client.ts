import type { Dialect } from '../dialect/dialect.js';
import type { ClientId } from './client-ids.js';
import type { ClientEnvironment } from '../environment/client-environment.js';
import type { DocumentFormat } from '../document/document-editor.js';

/** The folders, platform and variables that determine the paths of client files. */
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
  /** Returns the user's file, or undefined on platforms without this client. */
  readonly userFile: (places: ClientPlaces) => string | undefined;
  /** The project's file, relative to the project. */
  readonly projectFile?: string;
  /** True if the file can have one sandbox at its top level for all entries that enable it. */
  readonly sharedSandbox?: boolean;
  readonly dialect: Dialect;
  /** The variables that the client passes to servers. Undefined if they are unknown. */
  readonly environment?: ClientEnvironment;
  /** The entry's key for the start timeout in seconds. Present if the client's default is too short for `npx`. */
  readonly startTimeoutKey?: string;
}

/** The scope of a client's file. */
export type ClientScope = 'user' | 'project';
