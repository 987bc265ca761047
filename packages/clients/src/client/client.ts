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
  /** Returns additional key paths in the same file, such as the path of one project's servers. */
  readonly furtherKeys?: (cwd: string) => readonly (readonly string[])[];
  /** Returns the user's file, or undefined on platforms without this client. */
  readonly userFile: (places: ClientPlaces) => string | undefined;
  /** The path of the client's file in a project, relative to the project folder. */
  readonly projectFile?: string;
  /** True if the file can define one sandbox at its top level for all entries that enable a sandbox. */
  readonly sharedSandbox?: boolean;
  readonly dialect: Dialect;
  /** The rules for the variables that the client passes to servers. Undefined if the rules are unknown. */
  readonly environment?: ClientEnvironment;
  /** An entry's key for the startup timeout, in seconds. Set only if the client's default is too short for `npx`. */
  readonly startTimeoutKey?: string;
}

/** The scope of a client's file. */
export type ClientScope = 'user' | 'project';
