import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { ExitCode } from '../exit-code.js';
import { CommandError } from '../terminal/command-error.js';
import type { Client, ClientPlaces, ClientScope } from './client.js';
import { objectAt, type JsonObject } from './json-object.js';
import { entriesOf } from './own-entry.js';
import { checkObjects, documentEditor, DocumentError, editDocument } from './server-document.js';

/** A file in which a client keeps its servers. */
export interface ClientFile {
  readonly client: Client;
  readonly scope: ClientScope;
  readonly file: string;
  /** Empty when the file is not there yet. */
  readonly text: string;
}

/** A server of a client, and where it stands. */
export interface ClientServer {
  readonly name: string;
  /** Path of keys to the entry. */
  readonly path: readonly string[];
  readonly entry: JsonObject;
}

/** The path of a client's file; undefined when it has none of that kind. */
export function clientPath(client: Client, scope: ClientScope, places: ClientPlaces): string | undefined {
  if (scope === 'user') return client.userFile(places);
  return client.projectFile === undefined ? undefined : join(places.cwd, client.projectFile);
}

/** True when the client has a file, or a folder to put it into: it was installed. */
export function isInstalled(client: Client, places: ClientPlaces): boolean {
  const file = client.userFile(places);
  if (file === undefined) return false;
  const folder = dirname(file);
  return existsSync(file) || (folder !== places.home && existsSync(folder));
}

/**
 * Reads a file of a client.
 *
 * @throws CommandError CLIENT_FILE_UNREADABLE
 */
export function openClientFile(client: Client, scope: ClientScope, file: string): ClientFile {
  try {
    return { client, scope, file, text: existsSync(file) ? readFileSync(file, 'utf8') : '' };
  } catch {
    throw new CommandError({
      code: 'CLIENT_FILE_UNREADABLE',
      exitCode: ExitCode.Usage,
      message: `${file} of ${client.title} cannot be read.`,
      next: 'check that it is a file and that its permissions allow it.',
    });
  }
}

/**
 * The servers of a client's file.
 *
 * @throws CommandError CLIENT_FILE_INVALID with the position
 */
export async function clientServers(
  { client, file, text }: ClientFile,
  { cwd }: Pick<ClientPlaces, 'cwd'>,
): Promise<readonly ClientServer[]> {
  const editor = await documentEditor(client.format);
  const document = guarded(client, file, () => {
    const parsed = editor.parse(text);
    checkObjects(editor, text, parsed, client.key);
    return parsed;
  });
  return [client.key, ...(client.furtherKeys?.(cwd) ?? [])].flatMap((key) =>
    entriesOf(objectAt(document, key)).map(([name, entry]) => ({ name, path: [...key, name], entry })),
  );
}

/**
 * The text of a client's file with an entry set, or taken away when it is undefined.
 *
 * @throws CommandError CLIENT_FILE_INVALID
 */
export async function withEntry(
  { client, file, text }: ClientFile,
  path: readonly string[],
  entry: JsonObject | undefined,
): Promise<string> {
  const editor = await documentEditor(client.format);
  return guarded(client, file, () => editDocument(editor, text, path, entry));
}

function guarded<Result>({ title }: Client, file: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    const { position } = error;
    const place = position === undefined ? file : `${file}:${position.line}:${position.column}`;
    throw new CommandError({
      code: 'CLIENT_FILE_INVALID',
      exitCode: ExitCode.Usage,
      message: `the file of ${title} cannot be used: ${place}: ${error.message}. It is as it was.`,
      next: 'correct it, or edit it by hand.',
    });
  }
}
