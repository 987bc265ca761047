import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

import {
  clientPath,
  clientServers,
  openClientFile,
  type Client,
  type ClientFile,
  type ClientServer,
} from '@mcpmux/clients';

import type { CommandContext } from '../terminal/command-context.js';
import { CommandError, usageError } from '../terminal/command-error.js';
import { chooseClients } from './choose-clients.js';
import { existingFiles } from './client-sources.js';

/** A client file and its servers, read only once so that the import adds exactly what the user confirmed. */
export interface ImportSource {
  readonly source: ClientFile;
  readonly servers: readonly ClientServer[];
}

/**
 * Reads the clients' files, user files before project files, or only the file at `sourcePath`.
 *
 * @throws ClientFileError, or CommandError CLIENT_NOT_FOUND, CLIENT_FILE_NOT_FOUND
 */
export async function readImportSources(
  context: CommandContext,
  names: readonly string[],
  sourcePath: string | undefined,
): Promise<readonly ImportSource[]> {
  const files = filesToImport(context, names, sourcePath);
  const userFilesFirst = [...files.filter(isUserFile), ...files.filter((file) => !isUserFile(file))];
  return Promise.all(
    userFilesFirst.map(async (source) => ({ source, servers: await clientServers(source, context) })),
  );
}

function isUserFile({ scope }: ClientFile): boolean {
  return scope === 'user';
}

function filesToImport(
  context: CommandContext,
  names: readonly string[],
  sourcePath: string | undefined,
): readonly ClientFile[] {
  const clients = chooseClients(names);
  if (sourcePath !== undefined)
    return [
      openNamedFile(context, sourcePath, names.length === 0 ? chooseClients(['claude-code']) : clients),
    ];
  const sources = clients.flatMap((client) => existingFiles(context, client));
  if (sources.length > 0) return sources;
  const searchedFiles = clients
    .map((client) => clientPath(client, 'user', context) ?? '')
    .filter((file) => file !== '');
  throw new CommandError(
    'CLIENT_NOT_FOUND',
    `there is no file of ${names.length === 0 ? 'any client' : names.join(', ')} to import from.`,
    { details: searchedFiles, next: 'name a file with: mcpmux import CLIENT --from FILE' },
  );
}

function openNamedFile(context: CommandContext, sourcePath: string, clients: readonly Client[]): ClientFile {
  const [client] = clients;
  const file = resolve(context.cwd, sourcePath);
  if (client === undefined || clients.length > 1) {
    throw usageError('--from reads the file of one client.', 'mcpmux import CLIENT --from FILE');
  }
  if (existsSync(file)) return openClientFile(client, 'user', file);
  throw new CommandError('CLIENT_FILE_NOT_FOUND', `there is no file ${file}.`, { next: 'check the path.' });
}
