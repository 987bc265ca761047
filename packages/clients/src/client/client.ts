import type { Dialect } from '../dialect/dialect.js';
import type { DocumentFormat } from '../document/document-editor.js';

/** What paths of clients depend on. */
export interface ClientPlaces {
  readonly home: string;
  readonly cwd: string;
  readonly platform: NodeJS.Platform;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Names of clients on the command line. */
export const CLIENT_IDS = [
  'amp',
  'claude-code',
  'claude-desktop',
  'cline',
  'codex',
  'copilot-cli',
  'cursor',
  'gemini',
  'goose',
  'kiro',
  'lm-studio',
  'opencode',
  'roo',
  'vscode',
  'windsurf',
  'zed',
] as const;

/** The name of a client on the command line. */
export type ClientId = (typeof CLIENT_IDS)[number];

/** A program that has a list of MCP servers in a file. */
export interface Client {
  readonly id: ClientId;
  readonly title: string;
  readonly format: DocumentFormat;
  /** Path of keys to its servers. */
  readonly key: readonly string[];
  /** Further places of the same file, such as those of one project. */
  readonly furtherKeys?: (cwd: string) => readonly (readonly string[])[];
  /** The file of this user; undefined where the program does not exist. */
  readonly userFile: (places: ClientPlaces) => string | undefined;
  /** The file within a project, relative to it. */
  readonly projectFile?: string;
  readonly dialect: Dialect;
}

/** Which file of a client. */
export type ClientScope = 'user' | 'project';
