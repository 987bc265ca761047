import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

import { clientPath, clientServers, openClientFile, type Client, type ClientFile } from '@mcpmux/clients';

import type { ConfigLocation } from '../config/find-config.js';
import { printResult, tell, type CommandContext, type Action } from '../terminal/command-context.js';
import { CommandError, usage } from '../terminal/command-error.js';
import { chooseClients } from './choose-clients.js';
import { applyChanges, exitCodeOf } from './client-change.js';
import { existingFiles } from './client-sources.js';
import { configServers, configTextOf, configToWrite, type WriteFlags } from './config-choice.js';
import { ImportPlan, type ImportStep } from './import-plan.js';
import { takenOver, takeovers, type SourceSteps } from './takeover.js';
import { changingConfig, editedConfig, saveConfig } from './write-config.js';

/** Flags of `mcpmux import`. */
export interface ImportFlags extends WriteFlags {
  /** A file in the format of the one client that is named. */
  readonly from?: string;
  /** Removes the servers from the clients, and registers mcpmux there. */
  readonly takeover?: boolean;
}

/** Copies the servers of clients into the config. */
export const importServers: Action<ImportFlags> = async (context, names, flags) => {
  const sources = sourcesOf(context, names, flags);
  const location = configToWrite(context, flags);
  // The config is not locked while a question is open.
  const isAsking = flags.takeover === true && context.flags.yes !== true;
  const isFree = flags.dryRun === true || isAsking;
  return changingConfig(location.file, isFree, () => importInto(context, location, sources, flags));
};

async function importInto(
  context: CommandContext,
  location: ConfigLocation,
  sources: readonly ClientFile[],
  flags: ImportFlags,
): Promise<number> {
  const { file } = location;
  const isDryRun = flags.dryRun === true;
  const isTakeover = flags.takeover === true;
  const before = configTextOf(location);
  const ofSources = await stepsOf(context, sources, location, { text: before, isTakeover });
  const steps = ofSources.flatMap((source) => source.steps);
  const after = withServers(file, before, steps);
  const changes = isTakeover ? await takeovers(context, ofSources) : [];
  report(context, steps, sources, file);
  const save = (): void => void saveConfig(context, { file, before, after }, isDryRun);
  // The config is written before a client loses a server. Without a yes, no file is written.
  const changed = await applyChanges(context, changes, isDryRun, save);
  if (changes.length === 0 || isDryRun) save();
  if (context.flags.json === true) {
    const servers = steps.map(({ client, name, result, as, reason }) => ({
      client,
      name,
      result,
      as,
      reason,
    }));
    const written = !isDryRun && before !== after;
    printResult(context, { file, written, servers, clients: changed }, '');
  }
  return exitCodeOf(changed);
}

async function stepsOf(
  context: CommandContext,
  sources: readonly ClientFile[],
  location: ConfigLocation,
  { text, isTakeover }: { readonly text: string; readonly isTakeover: boolean },
): Promise<readonly SourceSteps[]> {
  const { reading, valueOf } = configServers(location, text);
  const plan = new ImportPlan(reading.entries.map(({ name, path }) => [name, valueOf(path)]));
  const counts: number[] = [];
  for (const source of sources) {
    for (const server of await clientServers(source, context)) plan.add(source.client, server);
    counts.push(plan.steps.length);
  }
  const whole = withServers(location.file, text, plan.steps);
  const steps = isTakeover ? takenOver(plan.steps, location, whole, context) : plan.steps;
  return sources.map((source, index) => ({
    source,
    steps: steps.slice(counts[index - 1] ?? 0, counts[index]),
  }));
}

/** The text of the config with the new servers. */
function withServers(file: string, before: string, steps: readonly ImportStep[]): string {
  return steps.reduce(
    (text, { as, entry }) =>
      as === undefined || entry === undefined ? text : editedConfig(file, text, ['mcpServers', as], entry),
    before,
  );
}

function sourcesOf(
  context: CommandContext,
  names: readonly string[],
  { from }: ImportFlags,
): readonly ClientFile[] {
  const clients = chooseClients(names);
  if (from !== undefined)
    return [namedSource(context, from, names.length === 0 ? chooseClients(['claude-code']) : clients)];
  const sources = clients.flatMap((client) => existingFiles(context, client));
  if (sources.length > 0) return sources;
  const looked = clients
    .map((client) => clientPath(client, 'user', context) ?? '')
    .filter((file) => file !== '');
  throw new CommandError(
    'CLIENT_NOT_FOUND',
    `there is no file of ${names.length === 0 ? 'any client' : names.join(', ')} to import from.`,
    { details: looked, next: 'name a file with: mcpmux import CLIENT --from FILE' },
  );
}

function namedSource(context: CommandContext, from: string, clients: readonly Client[]): ClientFile {
  const [client] = clients;
  const file = resolve(context.cwd, from);
  if (client === undefined || clients.length > 1) {
    throw usage('--from reads the file of one client.', 'mcpmux import CLIENT --from FILE');
  }
  if (existsSync(file)) return openClientFile(client, 'user', file);
  throw new CommandError('CLIENT_FILE_NOT_FOUND', `there is no file ${file}.`, { next: 'check the path.' });
}

function report(
  context: CommandContext,
  steps: readonly ImportStep[],
  sources: readonly ClientFile[],
  file: string,
): void {
  for (const { file: source, client } of sources) tell(context, `Read ${source} (${client.title})`);
  for (const step of steps) tell(context, `  ${sentence(step)}`);
  const added = steps.filter(({ result }) => result === 'added');
  tell(context, `${added.length} ${added.length === 1 ? 'server' : 'servers'} for ${file}`);
  for (const { as, entry } of added) {
    if (JSON.stringify(entry).includes('${input:')) {
      tell(
        context,
        `  ${as ?? ''} uses \${input:...}, which only VS Code can ask for: write \${env:NAME} instead`,
      );
    }
  }
}

function sentence({ name, result, as, reason }: ImportStep): string {
  switch (result) {
    case 'added':
      return as === name ? `+ ${name}` : `+ ${name} as ${as ?? ''}`;
    case 'same':
      return `= ${name}: the config has this server as ${as ?? ''}`;
    case 'own':
      return `- ${name}: this is mcpmux itself`;
    case 'left':
      return `- ${name}: stays in its client: ${reason ?? ''}`;
    case 'unusable':
      return `- ${name}: ${reason ?? ''}`;
  }
}
