import tab from '@bomb.sh/tab/commander';
import { CLIENTS } from '@mcpmux/clients';
import type { Command } from 'commander';

import { countsProjects, findConfig } from '../config/find-config.js';
import { loadConfig } from '../config/load-config.js';
import { thisProcess } from '../config/this-process.js';

const OF_SERVERS = [
  'remove',
  'enable',
  'disable',
  'get',
  'doctor',
  'inspect',
  'tools',
  'export',
  'reload',
  'login',
  'logout',
  'logs',
];
const OF_CLIENTS = ['import', 'install', 'uninstall'];

/** Adds `completion SHELL`, and what the scripts that it prints call. */
export function addCompletion(program: Command): void {
  const root = tab(program, { completionCommandName: 'completion' });
  for (const [name, values] of [
    ...OF_SERVERS.map((command) => [command, serverNames] as const),
    ...OF_CLIENTS.map((command) => [command, clientNames] as const),
  ]) {
    for (const argument of root.commands.get(name)?.arguments.values() ?? []) {
      argument.handler = (complete) => {
        for (const [value, description] of values()) complete(value, description);
      };
    }
  }
}

/** Names only: nothing is started, and an unusable config has none. */
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
