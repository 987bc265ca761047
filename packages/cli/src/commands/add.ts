import { loadConfig } from '@mcpmux/config';
import type { ConfigLocation } from '@mcpmux/config/find';

import { missingVariables, type MissingVariables } from '../config/missing-variables.js';
import { NEEDS_LOGIN } from '../doctor/check-server.js';
import { secretsWarning } from '../redact/literal-secrets.js';
import { ExitCode } from '../base/exit-code.js';
import { printResult, printNote, type Action, type CommandContext } from '../terminal/command-context.js';
import { shellWord } from '../terminal/shell-word.js';
import {
  applyChange,
  exitCodeOfRows,
  UNAPPLIED,
  testServerStart,
  type AppliedChange,
  type ChangeFlags,
} from './apply-change.js';
import { flagsForConfig } from '../config/config-choice.js';
import { addEntry, serverToAdd, type AddEntryFlags, type ServerToAdd } from '../edit/entry/add-entry.js';
import { fillMissingValues } from '../edit/entry/fill-missing.js';
import { programProblem } from './program-problem.js';
import { shortReason } from '../live/short-reason.js';

/** Flags of `mcpmux add`. */
export interface AddFlags extends ChangeFlags, AddEntryFlags {
  /** If true, the server is started once as a test after it is added. By default, true only in a terminal. */
  readonly check?: boolean;
}

/** Adds a server to the config, and to every running mcpmux that serves the config. */
export const add: Action<AddFlags> = async (context, words, flags) => {
  const server = await serverToAdd(context, words, flags);
  const { name, entry } = server;
  const { location, file, written } = await addEntry(context, server, flags);
  if (written) printNote(context, `Added ${name} to ${file}`);
  printNote(context, secretsWarning(name, entry) ?? '');
  if (written) await fillMissingValues(context, { location, names: [name] }, flags);
  const applied = written ? await applyAndTestStart(context, location, server, flags) : UNAPPLIED;
  const unset =
    written && applied.servers.length === 0
      ? missingVariables(location, context, name)
      : NO_MISSING_VARIABLES;
  for (const variable of unset.keys()) printNote(context, `${name} needs ${variable}, which is not set here`);
  const exitCode = exitCodeOfRows(applied.servers);
  const isUsable = applied.servers.length > 0 || (await checkStartable(context, location, name));
  const remedy = applied.servers.some(({ problem = '' }) => NEEDS_LOGIN.test(problem)) ? 'login' : 'doctor';
  const next = exitCode === ExitCode.Ok && isUsable ? 'tools' : remedy;
  const configFlags = flagsForConfig(context, location);
  if (written) printNote(context, `Next: mcpmux ${next} ${shellWord(name)}${configFlags}`);
  printResult(context, { name, file, written, ...applied });
  return exitCode;
};

/** Returns false if the server is misconfigured or its program cannot be started. Prints a note about the program. */
async function checkStartable(
  context: CommandContext,
  location: ConfigLocation,
  name: string,
): Promise<boolean> {
  const server = loadConfig(location, context).servers.find((one) => one.name === name);
  const problem = await programProblem(server, context);
  if (problem !== undefined)
    printNote(context, `${name} cannot be started here: ${shortReason(name, problem)}`);
  return problem === undefined && server?.status !== 'misconfigured';
}

const NO_MISSING_VARIABLES: MissingVariables = new Map();

/**
 * Applies the change to every mcpmux that serves the config. If none applies it, briefly starts the server as a test,
 * by default only in a terminal.
 */
async function applyAndTestStart(
  context: CommandContext,
  location: ConfigLocation,
  { name, deleteEarlierBundles }: ServerToAdd,
  flags: AddFlags,
): Promise<AppliedChange> {
  const applied = await applyChange(context, location, [name], flags);
  deleteEarlierBundles?.();
  if (applied.instances.length > 0 || !(flags.check ?? context.streams.isInteractive)) return applied;
  return { ...applied, servers: await testServerStart(context, location, name) };
}
