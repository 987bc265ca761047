import type { ConfigLocation } from '@mcpmux/config/find';

import { printResult, type CommandContext, type Action } from '../terminal/command-context.js';
import { applyChanges, exitCodeOf } from '../edit/clients/client-change.js';
import { applyChange, type ChangeFlags } from './apply-change.js';
import { configTextOf, configToWrite } from '../config/config-choice.js';
import { canAskOptionalQuestions } from '../terminal/consent.js';
import { fillMissingValues } from '../edit/entry/fill-missing.js';
import { confirmServers } from '../edit/clients/folder-consent.js';
import type { FolderRules, PlannedSource } from '../edit/clients/import-plan.js';
import { planImport, planTakeover, withImportedServers } from '../edit/clients/import-servers.js';
import { printImportSteps, printNewToolNames, printImportCount } from './import-report.js';
import { readImportSources, type ImportSource } from './import-sources.js';
import { takeoverChanges } from '../edit/clients/takeover.js';
import { withConfigLock, saveConfig } from '../edit/write-config.js';

/** Flags of `mcpmux import`. */
export interface ImportFlags extends ChangeFlags {
  /** The file to import from, in the format of the named client, or of Claude Code if no client is named. */
  readonly from?: string;
  /** Replaces the imported servers with mcpmux in the clients' files. */
  readonly takeover?: boolean;
  /** Imports the servers in this folder's files without confirmation. */
  readonly project?: boolean;
}

/** Copies the clients' servers into the config. A server of a folder requires confirmation, `--from` or `--project`. */
export const importServers: Action<ImportFlags> = async (context, names, flags) => {
  const sources = await readImportSources(context, names, flags.from);
  const location = configToWrite(context, flags);
  const isConfirmed = await confirmFolderServers(context, location, sources, flags);
  // The config must not stay locked while the command waits for the user's answer.
  const isAsking = flags.takeover === true && context.flags.yes !== true;
  const isUnlocked = flags.dryRun === true || isAsking;
  const { code, added } = await withConfigLock(location.file, isUnlocked, () =>
    importIntoConfig(
      context,
      location,
      (text) => planImport(context, location, text, { sources, isConfirmed }),
      flags,
    ),
  );
  if (added.length > 0 && flags.dryRun !== true) {
    await fillMissingValues(context, { location, names: added }, flags);
    await applyChange(context, location, added, flags);
  }
  return code;
};

/** Asks which folder servers to import, and returns a predicate for them. `--from` and `--project` select all. */
async function confirmFolderServers(
  context: CommandContext,
  location: ConfigLocation,
  sources: readonly ImportSource[],
  { from, project, dryRun }: ImportFlags,
): Promise<FolderRules['isConfirmed']> {
  if (from !== undefined || project === true) return () => true;
  if (dryRun === true || !canAskOptionalQuestions(context)) return () => false;
  const plan = planImport(context, location, configTextOf(location), { sources, isConfirmed: () => true });
  const added = plan.flatMap(({ source, servers, steps }) =>
    servers.flatMap((server, index) => {
      const step = steps[index];
      return server.folder !== undefined && step?.result === 'added' ? [{ source, server, step }] : [];
    }),
  );
  const confirmed = await confirmServers(context, added);
  return (server) => confirmed.has(server);
}

async function importIntoConfig(
  context: CommandContext,
  location: ConfigLocation,
  planFor: (text: string) => readonly PlannedSource[],
  flags: ImportFlags,
): Promise<{ readonly code: number; readonly added: readonly string[] }> {
  const { file } = location;
  const isDryRun = flags.dryRun === true;
  const before = configTextOf(location);
  const sources =
    flags.takeover === true ? planTakeover(context, location, before, planFor) : planFor(before);
  const steps = sources.flatMap((source) => source.steps);
  const after = withImportedServers(file, before, steps);
  const changes = flags.takeover === true ? await takeoverChanges(context, sources) : [];
  printImportSteps(context, sources);
  const save = (): void => void saveConfig(context, { file, before, after }, isDryRun);
  // The config is saved before any server is removed from a client. If the user refuses, no file is written.
  const changed = await applyChanges(context, changes, isDryRun, save);
  if (changes.length === 0 || isDryRun) save();
  printImportCount(context, sources, file, isDryRun);
  printNewToolNames(
    context,
    sources.filter(({ source }) => changed.some((one) => one.written && one.client === source.client.id)),
  );
  if (context.flags.json === true) {
    const servers = steps.map(({ client, name, result, configName, reason }) => ({
      client,
      name,
      result,
      as: configName,
      reason,
    }));
    const written = !isDryRun && before !== after;
    printResult(context, { file, written, servers, clients: changed }, '');
  }
  const added = steps.flatMap(({ result, configName }) =>
    result === 'added' && configName !== undefined ? [configName] : [],
  );
  return { code: exitCodeOf(changed), added };
}
