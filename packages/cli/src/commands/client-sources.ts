import { existsSync } from 'node:fs';

import { clientPath, openClientFile, type Client, type ClientFile } from '@mcpmux/clients';

import type { CommandContext } from '../terminal/command-context.js';

/** The files of a client that are there. In the home folder, the file of the project is that of the user. */
export function existingFiles(context: CommandContext, client: Client): readonly ClientFile[] {
  const user = clientPath(client, 'user', context);
  const project = clientPath(client, 'project', context);
  const scopes = user === project ? (['user'] as const) : (['user', 'project'] as const);
  return scopes.flatMap((scope) => {
    const file = scope === 'user' ? user : project;
    return file !== undefined && existsSync(file) ? [openClientFile(client, scope, file)] : [];
  });
}
