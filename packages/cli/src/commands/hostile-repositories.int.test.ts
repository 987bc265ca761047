import { readdirSync } from 'node:fs';

import { countsProjects, findConfig } from '@mcpmux/config/find';
import { CLIENTS, documentEditor } from '@mcpmux/clients';
import { createHostileRepositories } from '@mcpmux/testing/hostile-repository';
import { propertyRuns } from '@mcpmux/testing/property-runs';
import { serverFiles } from '@mcpmux/testing/server-files';
import { expect, it } from 'vitest';

import { CommandError } from '../terminal/command-error.js';
import type { Action } from '../terminal/command-context.js';
import { doctor } from './doctor.js';
import { importServers } from './import.js';
import { list } from './list.js';
import { TemporaryHome } from './testing/temporary-home.js';

const REPOSITORIES = propertyRuns(40).numRuns ?? 40;
const OWN = { own: { command: 'own', disabled: true } };
const COMMANDS: readonly (readonly [Action<object>, object])[] = [
  [importServers, {}],
  [importServers, { takeover: true }],
  [list, { check: true }],
  [doctor, {}],
];

/** Also a refusal is an end of a command. */
async function ended(work: Promise<number>): Promise<void> {
  await work.catch((error: unknown) => {
    if (!(error instanceof CommandError)) throw error;
  });
}

it('in hostile repositories import takes only servers of the user, and no command runs any other', async () => {
  using home = new TemporaryHome();
  const repositories = createHostileRepositories(
    REPOSITORIES,
    home.home,
    await serverFiles(CLIENTS, documentEditor),
  );
  const { folders, markFolder, projects } = repositories;
  home.write('.claude.json', { mcpServers: OWN, projects });
  for (const cwd of folders) {
    const context = { ...home.context(), cwd };
    for (const [command, flags] of COMMANDS) await ended(command(context, [], flags));
    const found = findConfig({ ...context, projects: countsProjects(undefined, context.environment) });
    expect(found).toMatchObject({ kind: 'found', location: { origin: 'user', file: home.config } });
  }
  expect(JSON.parse(home.read('.config/mcpmux/config.json'))).toMatchObject({ mcpServers: OWN });
  expect(
    Object.keys((JSON.parse(home.read('.config/mcpmux/config.json')) as { mcpServers: object }).mcpServers),
  ).toEqual(['own']);
  expect(readdirSync(markFolder)).toEqual([]);
});
