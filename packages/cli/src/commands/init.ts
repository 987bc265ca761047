import { existsSync } from 'node:fs';

import type { ConfigLocation } from '@mcpmux/config/find';

import { EMPTY_CONFIG } from '../config/seed-config.js';
import { ExitCode } from '../base/exit-code.js';
import { printResult, printNote, type CommandContext, type Action } from '../terminal/command-context.js';
import { CommandError } from '../terminal/command-error.js';
import { configToWrite, projectConfigOf, type WriteFlags } from '../config/config-choice.js';
import { askYesNo, canAskOptionalQuestions, falseIfRefused } from '../terminal/consent.js';
import { makeOffers, offeredClients, type AcceptedOffers } from './init-offers.js';
import { saveConfig } from '../edit/write-config.js';

/**
 * Creates a config without servers: the user's config, or with `--scope project` the file `mcpmux.json` in this folder.
 * In a terminal, offers to move or copy the clients' servers into the user's config, and to register mcpmux in clients.
 */
export const init: Action<WriteFlags> = async (context, _, flags) => {
  const { file, origin } = locationToWrite(context, flags);
  if (existsSync(file)) {
    throw new CommandError('CONFIG_EXISTS', `${file} already exists; it is unchanged.`, {
      next: 'mcpmux list shows its servers',
    });
  }
  const written = saveConfig(context, { file, before: '', after: EMPTY_CONFIG }, flags.dryRun === true);
  const isProject = origin === 'project';
  if (written) printNote(context, `Wrote ${file}`);
  const isOffering = written && !isProject && canAskOptionalQuestions(context);
  const accepted = isOffering ? await offerSetup(context, { ...flags, config: file }) : NONE_ACCEPTED;
  if (written) printNote(context, isProject ? NEXT_STEPS_IN_PROJECT : nextSteps(accepted));
  printResult(context, { file, written });
  return ExitCode.Ok;
};

const NONE_ACCEPTED: AcceptedOffers = { hasServers: false, isRegistered: false };

/** With `--scope project`, the file is created in the current folder, even if a parent folder has a project config. */
function locationToWrite(context: CommandContext, flags: WriteFlags): ConfigLocation {
  const isProject = flags.scope === 'project';
  if (flags.config !== undefined || flags.catalog !== undefined) return configToWrite(context, flags);
  return isProject ? projectConfigOf(context) : configToWrite(context, { scope: 'user', ...flags });
}

async function offerSetup(context: CommandContext, flags: WriteFlags): Promise<AcceptedOffers> {
  return makeOffers({
    ...(await offeredClients(context)),
    ask: (question, isDefault) => askYesNo(context, question, isDefault),
    copyServers: async (clients, takeover) => {
      const { importServers } = await import('./import.js');
      return falseIfRefused(() => importServers(context, clients, { ...flags, takeover }));
    },
    register: async (clients) => {
      const { install } = await import('./install.js');
      return falseIfRefused(() => install(context, clients, {}));
    },
  });
}

/** Returns a note with the steps that remain after the accepted offers. */
function nextSteps({ hasServers, isRegistered }: AcceptedOffers): string {
  const steps = [
    ...(hasServers ? ['mcpmux list                        shows your servers'] : [IMPORT_STEP]),
    'mcpmux add NAME -- COMMAND ARGS    adds one',
    ...(isRegistered ? [] : ['mcpmux install                     registers mcpmux in your clients']),
  ];
  return `Next: ${steps.join('\n      ')}`;
}

const IMPORT_STEP = 'mcpmux import                      copies the servers of your clients into it';

const NEXT_STEPS_IN_PROJECT = `mcpmux uses this file only with --project-config, or with MCPMUX_PROJECT_CONFIG=1.
Next: mcpmux add --scope project NAME -- COMMAND ARGS
      mcpmux list --scope project
      mcpmux install --project           registers mcpmux with --project-config in the clients of this project`;
