import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

import type { Client, ClientPlaces, ClientScope } from './client.js';
import { objectEntries, isObject, objectAt, type JsonObject } from '../json/json-object.js';
import { decodedText } from '../document/decoded-text.js';
import { DocumentError } from '../document/document-error.js';
import { checkObjectPath, editDocument } from '../document/edit-document.js';
import { documentEditor } from '../document/editor-of.js';

/** A file in which a client stores its servers. */
export interface ClientFile {
  readonly client: Client;
  readonly scope: ClientScope;
  readonly file: string;
  /** Empty if the file does not exist yet. */
  readonly text: string;
}

/** A server's entry in a client's file. */
export interface ClientServer {
  readonly name: string;
  /** The entry's key path in the file. */
  readonly path: readonly string[];
  readonly entry: JsonObject;
  /** The server's project folder, whose files may be untrusted. Absent for the user's own servers. */
  readonly folder?: string;
}

/** The stable error codes of {@link ClientFileError}. */
export type ClientFileErrorCode = 'CLIENT_FILE_UNREADABLE' | 'CLIENT_FILE_INVALID';

/**
 * The error for a client's file that cannot be read or edited. The file is unchanged. The message contains the file's
 * path, but no values from the file.
 */
export class ClientFileError extends Error {
  override readonly name = 'ClientFileError';

  constructor(
    readonly code: ClientFileErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** Returns the path of a client's file, or undefined if the client has no file for this scope. */
export function clientPath(client: Client, scope: ClientScope, places: ClientPlaces): string | undefined {
  if (scope === 'user') return client.userFile(places);
  return client.projectFile === undefined ? undefined : join(places.cwd, client.projectFile);
}

/** True if the client appears installed: its user file exists, or the file's folder does and is not the home folder. */
export function isInstalled(client: Client, places: ClientPlaces): boolean {
  const file = client.userFile(places);
  if (file === undefined) return false;
  const folder = dirname(file);
  return existsSync(file) || (folder !== places.home && existsSync(folder));
}

/**
 * Reads a client's file.
 *
 * @throws ClientFileError CLIENT_FILE_UNREADABLE
 */
export function openClientFile(client: Client, scope: ClientScope, file: string): ClientFile {
  try {
    return { client, scope, file, text: existsSync(file) ? readRegularFile(file) : '' };
  } catch (cause) {
    const message = `the file ${file} of ${client.title} cannot be read.`;
    throw new ClientFileError('CLIENT_FILE_UNREADABLE', message, { cause });
  }
}

/** Rejects devices, such as `/dev/zero` behind a symbolic link, because reading one may never end. */
function readRegularFile(file: string): string {
  if (!statSync(file).isFile()) throw new TypeError(`${file} is not a regular file`);
  return decodedText(readFileSync(file));
}

/**
 * Returns the servers in a client's file. Sets `folder` to `cwd` for the servers in a project's file, and for servers
 * that the user's file lists under that project.
 *
 * @throws ClientFileError CLIENT_FILE_INVALID with the position in its message
 */
export async function clientServers(
  { client, scope, file, text }: ClientFile,
  { cwd }: Pick<ClientPlaces, 'cwd'>,
): Promise<readonly ClientServer[]> {
  const editor = await documentEditor(client.format);
  const document = rethrowAsFileError(client, file, () => {
    const parsed = editor.parse(text);
    checkObjectPath(editor, text, parsed, client.key);
    return parsed;
  });
  const shared = client.sharedSandbox === true ? objectAt(document, ['sandbox']) : undefined;
  return [client.key, ...(client.furtherKeys?.(cwd) ?? [])].flatMap((key) => {
    const folderField = scope === 'project' || key !== client.key ? { folder: cwd } : undefined;
    return objectEntries(objectAt(document, key)).map(([name, entry]) =>
      Object.assign({ name, path: [...key, name], entry: withSharedSandbox(entry, shared) }, folderField),
    );
  });
}

/** Adds the file's top-level sandbox settings to an entry that enables a sandbox but has no settings for it. */
function withSharedSandbox(entry: JsonObject, sandbox: unknown): JsonObject {
  const usesSharedSandbox = entry['sandboxEnabled'] === true && entry['sandbox'] === undefined;
  return usesSharedSandbox && isObject(sandbox) ? { ...entry, sandbox } : entry;
}

/**
 * Returns the text of a client's file after setting an entry, or removing it if `entry` is undefined.
 *
 * @throws ClientFileError CLIENT_FILE_INVALID
 */
export async function withEntry(
  { client, file, text }: ClientFile,
  path: readonly string[],
  entry: JsonObject | undefined,
): Promise<string> {
  const editor = await documentEditor(client.format);
  return rethrowAsFileError(client, file, () => editDocument(editor, text, path, entry));
}

function rethrowAsFileError<Result>({ title }: Client, file: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    const { position } = error;
    const location = position === undefined ? file : `${file}:${position.line}:${position.column}`;
    const message = `the file of ${title} cannot be used: ${location}: ${error.message}. The file is unchanged.`;
    throw new ClientFileError('CLIENT_FILE_INVALID', message, { cause: error });
  }
}
