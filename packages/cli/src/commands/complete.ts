import tab from '@bomb.sh/tab/commander';
import { CLIENTS } from '@mcpmux/clients';
import type { Command } from 'commander';

import { countsProjects, findConfig } from '../config/find-config.js';
import { loadConfig } from '../config/load-config.js';
import { thisProcess } from '../config/this-process.js';

/** Adds `completion SHELL`, and the command that the printed scripts call. */
export function addCompletion(program: Command): void {
  const root = tab(program, { completionCommandName: 'completion' });
  for (const [command, { arguments: known }] of root.commands) {
    for (const [name, argument] of known) {
      const values = VALUES.get(name);
      // `add` needs a new name.
      if (values === undefined || command === 'add') continue;
      argument.handler = (complete) => {
        for (const [value, description] of values()) complete(value, description);
      };
    }
  }
}

type Values = () => readonly (readonly [value: string, description: string])[];

/** The values that are offered for an argument of this name. */
const VALUES: ReadonlyMap<string, Values> = new Map([
  ['name', serverNames],
  ['query', serverNames],
  ['client', clientNames],
]);

/** The names of the servers. No server is started, and an unusable config has no names. */
function serverNames(): readonly (readonly [string, string])[] {
  const { environment, ...rest } = thisProcess();
  const projects = countsProjects(undefined, environment);
  const found = findConfig({ ...rest, environment, flag: undefined, projects });
  if (found.kind !== 'found') return [];
  return loadConfig(found.location, thisProcess()).servers.map(({ name, status }) => [name, status]);
}

function clientNames(): readonly (readonly [string, string])[] {
  return CLIENTS.map(({ id, title }) => [id, title]);
}
