import type { Dialect } from '../dialect/dialect.js';
import type { ClientId } from './client-ids.js';
import type { ClientEnvironment } from '../environment/client-environment.js';
import type { DocumentFormat } from '../document/document-editor.js';

/** The folders, platform, and environment variables that determine the paths of client files. */
export interface ClientPlaces {
  readonly home: string;
  readonly cwd: string;
  readonly platform: NodeJS.Platform;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** An MCP client that stores its list of servers in a file. */
export interface Client {
  readonly id: ClientId;
  readonly title: string;
  readonly format: DocumentFormat;
  /** The key path of the server list in the client's file. */
  readonly key: readonly string[];
  /** Returns the key paths of additional server lists in the same file, such as a list for one project. */
  readonly furtherKeys?: (cwd: string) => readonly (readonly string[])[];
  /** Returns the path of the user's file, or undefined on platforms that the client does not support. */
  readonly userFile: (places: ClientPlaces) => string | undefined;
  /** The path of the client's file in a project, relative to the project folder. */
  readonly projectFile?: string;
  /** True if the file's top-level sandbox settings apply to entries that only enable a sandbox. */
  readonly sharedSandbox?: boolean;
  readonly dialect: Dialect;
  /** The rules for which environment variables the client passes to servers. Undefined if the rules are unknown. */
  readonly environment?: ClientEnvironment;
  /** An entry's key for the startup timeout, in seconds. Set only if the client's default is too short for `npx`. */
  readonly startTimeoutKey?: string;
}

/** The scope of a client's file. */
export type ClientScope = 'user' | 'project';
