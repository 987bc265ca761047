import {
  clientPath,
  clientServers,
  documentEditor,
  isInstalled,
  openClientFile,
  withValue,
  type Client,
  type ClientFile,
} from '@mcpmux/clients';
import { OWN_NAME } from '@mcpmux/config/find';

import { ExitCode } from '../base/exit-code.js';
import { printResult, printNote, type CommandContext, type Action } from '../terminal/command-context.js';
import { CommandError } from '../terminal/command-error.js';
import { chooseClients } from './choose-clients.js';
import { applyChanges, exitCodeOf, type ClientChange } from '../edit/clients/client-change.js';
import {
  clientEntry,
  localScript,
  variablesNotPassed,
  type ClientEntryFlags,
} from '../edit/clients/client-entry.js';
import { askYesNo, canAskOptionalQuestions, falseIfRefused } from '../terminal/consent.js';
import { moveQuestion, clientsRunningServers, reportOtherServers } from '../edit/clients/other-servers.js';
import { registrationChange, isOwnEntry, withoutOwnEntries } from '../edit/clients/registered-client.js';

/** Flags of `mcpmux install` and `mcpmux uninstall`. */
export interface InstallFlags extends ClientEntryFlags {
  readonly print?: boolean;
  readonly dryRun?: boolean;
}

/** Registers mcpmux in the named clients, or in all installed clients. */
export const install: Action<InstallFlags> = async (context, names, flags) => {
  const clients = chosenClients(context, names);
  reportClone(context, flags);
  if (flags.print === true) return print(context, clients, flags);
  for (const client of clients)
    if (!isInstalled(client, context))
      printNote(context, `${client.title} has left no files here: is it installed?`);
  const changes: ClientChange[] = [];
  const hints: string[] = [];
  for (const source of openFiles(context, clients, flags)) {
    const change = await registrationChange(context, source, flags);
    hints.push(await environmentHint(context, source, change?.newText ?? source.text, flags));
    if (change === undefined) printNote(context, `${source.client.title}: mcpmux is registered already`);
    else changes.push(change);
  }
  const results = await applyChanges(context, changes, flags.dryRun === true);
  printResult(context, results);
  for (const text of hints) printNote(context, text);
  if (flags.dryRun !== true && flags.project !== true) await offerTakeover(context, clients);
  if (results.some(({ written }) => written))
    printNote(context, 'Next: restart the client. mcpmux list shows your servers.');
  return exitCodeOf(results);
};

/**
 * Offers to move the servers that clients run alongside mcpmux into the config. A client lists a server's tools twice
 * if its own file and the config both contain the server.
 */
async function offerTakeover(context: CommandContext, clients: readonly Client[]): Promise<void> {
  const others = await clientsRunningServers(context, clients);
  if (others.length === 0) return;
  if (!canAskOptionalQuestions(context)) return reportOtherServers(context, others);
  if (!(await askYesNo(context, `${moveQuestion(others)} You see the changes first.`, true))) return;
  const { importServers } = await import('./import.js');
  const ids = others.map(({ client }) => client.id);
  await falseIfRefused(() => importServers(context, ids, { takeover: true }));
}

function reportClone(context: CommandContext, flags: InstallFlags): void {
  const script = flags.local === undefined ? localScript(flags) : undefined;
  if (script === undefined) return;
  printNote(
    context,
    `This mcpmux runs from a clone: clients start ${script}. With --no-local they start the package from npm.`,
  );
}

/** Removes mcpmux from the named clients, or from all clients that have it. */
export const uninstall: Action<InstallFlags> = async (context, names, flags) => {
  const changes: ClientChange[] = [];
  for (const source of openFiles(context, chooseClients(names), flags)) {
    const newText = await withoutOwnEntries(context, source);
    if (newText !== source.text) changes.push({ source, newText });
    else if (names.length > 0) printNote(context, `${source.client.title}: mcpmux is not in ${source.file}`);
  }
  const results = await applyChanges(context, changes, flags.dryRun === true);
  if (context.flags.json === true) printResult(context, results, '');
  else if (changes.length === 0 && names.length === 0)
    printNote(context, 'mcpmux is registered in no client.');
  return exitCodeOf(results);
};

/** Returns a hint that lists the environment variables that the client should pass to mcpmux but does not. */
async function environmentHint(
  context: CommandContext,
  source: ClientFile,
  text: string,
  flags: InstallFlags,
): Promise<string> {
  const { client, file } = source;
  const servers = await clientServers({ ...source, text }, context);
  const own = servers.find(({ entry }) => isOwnEntry(client, entry));
  const names = own === undefined ? [] : variablesNotPassed(context, client, own.entry, flags);
  if (names.length === 0) return '';
  const next =
    client.environment?.withVariables === undefined
      ? `write the values into "env" of mcpmux in ${file}`
      : `mcpmux install ${client.id} --pass-env`;
  return `${client.title} does not pass on to mcpmux, which its config uses: ${names.join(', ')}. Next: ${next}`;
}

function chosenClients(context: CommandContext, names: readonly string[]): readonly Client[] {
  if (names.length > 0) return chooseClients(names);
  const clients = chooseClients([]).filter((client) => isInstalled(client, context));
  if (clients.length > 0) return clients;
  throw new CommandError('CLIENT_NOT_FOUND', 'no client that mcpmux supports is installed here.', {
    next: 'name a client, such as: mcpmux install claude-code',
  });
}

function openFiles(
  context: CommandContext,
  clients: readonly Client[],
  { project }: InstallFlags,
): readonly ClientFile[] {
  const scope = project === true ? 'project' : 'user';
  return clients.flatMap((client) => {
    const file = clientPath(client, scope, context);
    if (file === undefined) {
      printNote(context, `${client.title} has no ${scope} file here`);
      return [];
    }
    return [openClientFile(client, scope, file)];
  });
}

/** Prints the entry to add to each client's file. */
async function print(
  context: CommandContext,
  clients: readonly Client[],
  flags: InstallFlags,
): Promise<number> {
  const { out, err } = context.streams;
  const documents = clients.map((client) => {
    const entry = clientEntry(context, client, flags);
    const file = clientPath(client, flags.project === true ? 'project' : 'user', context);
    return { client, file, document: withValue({}, [...client.key, OWN_NAME], entry) };
  });
  if (context.flags.json === true) {
    const entryRows = documents.map(({ client, file, document }) => ({ client: client.id, file, document }));
    printResult(context, entryRows, '');
    return ExitCode.Ok;
  }
  for (const { client, file = '', document } of documents) {
    err(`${client.title}: ${file}\n`);
    out((await documentEditor(client.format)).render(document));
  }
  return ExitCode.Ok;
}
