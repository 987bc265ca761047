import { existsSync } from 'node:fs';

import { clientPath, openClientFile, type Client, type ClientFile } from '@mcpmux/clients';

import type { CommandContext } from '../terminal/command-context.js';

/** Returns a client's existing config files, and only one if the user file is also the project file. */
export function existingFiles(context: CommandContext, client: Client): readonly ClientFile[] {
  const user = clientPath(client, 'user', context);
  const project = clientPath(client, 'project', context);
  const scopes = user === project ? (['user'] as const) : (['user', 'project'] as const);
  return scopes.flatMap((scope) => {
    const file = scope === 'user' ? user : project;
    return file !== undefined && existsSync(file) ? [openClientFile(client, scope, file)] : [];
  });
}
