import { isObject, type JsonObject } from '@mcpmux/clients';
import { inputSecret } from '@mcpmux/config';
import { OWN_NAME, serverNameOf } from '@mcpmux/config/find';

import { safetyNotes } from './import-safety.js';
import { printable } from '../terminal/columns.js';
import { printNote, type CommandContext } from '../terminal/command-context.js';
import { shellWord } from '../terminal/shell-word.js';
import { TOOL_NAME_RULES } from '../doctor/tool-names.js';
import { secretsWarning } from '../redact/literal-secrets.js';
import type { ImportStep, PlannedSource } from '../edit/clients/import-plan.js';

/** Prints each file that the import read, the result for each server, and notes on next steps. */
export function printImportSteps(context: CommandContext, sources: readonly PlannedSource[]): void {
  const steps = sources.flatMap((source) => source.steps);
  for (const { source } of sources) printNote(context, `Read ${source.file} (${source.client.title})`);
  for (const step of steps) printNote(context, `  ${stepText(step)}`);
  const added = steps.filter(({ result }) => result === 'added');
  for (const { configName = '', entry = {} } of added)
    printNote(context, secretsWarning(configName, entry) ?? '');
  for (const { configName = '', entry = {} } of added) printNote(context, inputsNote(configName, entry));
  for (const { configName = '', entry = {} } of added) printNote(context, loginNote(configName, entry));
  for (const note of sources.flatMap(sourceSafetyNotes)) printNote(context, note);
  if (steps.some(({ result }) => result === 'unconfirmed')) printNote(context, UNCONFIRMED_HINT);
}

/** Returns notes about safety settings that mcpmux ignores, for the servers that are now in the config. */
function sourceSafetyNotes({ source, servers, steps }: PlannedSource): readonly string[] {
  return steps.flatMap(({ path, configName, result }) => {
    const entry = servers.find((server) => server.path === path)?.entry ?? {};
    return configName === undefined
      ? []
      : safetyNotes(printable(configName), source.client.title, entry, result === 'same');
  });
}

/** Prints how many servers the import added to the config, or would add in a dry run. */
export function printImportCount(
  context: CommandContext,
  sources: readonly PlannedSource[],
  file: string,
  isDryRun: boolean,
): void {
  const count = sources.flatMap(({ steps }) => steps).filter(({ result }) => result === 'added').length;
  const servers = count === 0 ? 'no new server' : `${count} ${count === 1 ? 'server' : 'servers'}`;
  printNote(context, isDryRun ? `Would import ${servers} into ${file}` : `Imported ${servers} into ${file}`);
}

/** Returns a note about `${input:ID}` values: VS Code prompts for them, but mcpmux reads them from the keyring. */
function inputsNote(server: string, entry: JsonObject): string {
  const ids = [...JSON.stringify(entry).matchAll(/(?<!\$)\$\{input:([^}"]+)\}/g)].map(([, id = '']) =>
    printable(id),
  );
  const [first] = ids;
  if (first === undefined) return '';
  return `  ${server} needs ${[...new Set(ids)].join(', ')}, which VS Code asks for. Next: mcpmux secret set ${inputSecret(first)}`;
}

/** Returns a note on how to log in, because mcpmux does not import the logins that a client has saved. */
function loginNote(server: string, { url, headers, mux }: JsonObject): string {
  const hasCredentials = headers !== undefined || (isObject(mux) && mux['clientCredentials'] !== undefined);
  if (url === undefined || hasCredentials) return '';
  return `  ${printable(server)} is at a url. If it requires a login: mcpmux login ${shellWord(server)}`;
}

/** Prints how each client's tool names change when its servers are moved into mcpmux. */
export function printNewToolNames(context: CommandContext, sources: readonly PlannedSource[]): void {
  for (const { source, steps } of sources) {
    const movedStep = steps.find(({ result }) => result === 'added' || result === 'same');
    if (movedStep === undefined) continue;
    const { title } = source.client;
    const oldName = printable(movedStep.name);
    const newName = printable(serverNameOf(movedStep.configName ?? movedStep.name));
    const prefixFor = TOOL_NAME_RULES[source.client.id]?.prefixFor;
    const renameText =
      prefixFor?.(oldName).startsWith('mcp_') === true
        ? `${prefixFor(oldName)}TOOL is now ${prefixFor(OWN_NAME)}${newName}__TOOL`
        : `TOOL of ${oldName} is now ${newName}__TOOL of ${OWN_NAME}`;
    printNote(context, `In ${title} the tools have other names: ${renameText}.`);
    printNote(context, `Next: change the rules of ${title} that name tools, and restart ${title}.`);
  }
}

const UNCONFIRMED_HINT =
  'Next: read the files of this folder. mcpmux import --project takes their servers; at a terminal, import asks for each';

function stepText({ name, result, configName, reason }: ImportStep): string {
  switch (result) {
    case 'added':
      return configName === name ? `+ ${name}` : `+ ${name} as ${configName ?? ''}`;
    case 'same':
      return `= ${name}: the config has this server as ${configName ?? ''}`;
    case 'own':
      return `- ${name}: this is mcpmux itself`;
    case 'left':
      return `- ${name}: stays in its client: ${reason ?? ''}`;
    case 'unconfirmed':
    case 'unusable':
      return `- ${name}: ${reason ?? ''}`;
  }
}
