import { realpathSync } from 'node:fs';
import process from 'node:process';

import { passedEnvironment, type Client, type JsonObject } from '@mcpmux/clients';

import { completeEnvironment, missingVariables } from '../../config/missing-variables.js';
import { isCheckout, ownEntry } from '../../config/own-entry.js';
import type { CommandContext } from '../../terminal/command-context.js';
import { configOrUndefined } from '../../config/config-choice.js';

/** The flags of `mcpmux install` that affect the client's mcpmux entry. */
export interface ClientEntryFlags {
  /** Writes to the client's project file instead of its user file, and makes mcpmux use the project config. */
  readonly project?: boolean;
  /** Lets all windows share one mcpmux process. */
  readonly shared?: boolean;
  /** True selects this installation, false the published package. By default, only a checkout selects itself. */
  readonly local?: boolean;
  /** Adds to the entry the variables that the config uses but the client does not pass on. */
  readonly passEnv?: boolean;
}

/** The start timeout to set in a client's entry, in seconds. It is long because `npx` may download the package. */
const START_TIMEOUT_S = 60;

/** Returns mcpmux's entry in a client's format. */
export function clientEntry(context: CommandContext, client: Client, flags: ClientEntryFlags): JsonObject {
  const { entry } = client.dialect.fromMux(muxEntry(context, flags));
  const { startTimeoutKey: key } = client;
  const needsTimeout = key !== undefined && localScript(flags) === undefined;
  return withVariables(context, client, needsTimeout ? { ...entry, [key]: START_TIMEOUT_S } : entry, flags);
}

/** Adds to the entry the variables that the client would not pass on to mcpmux, if `--pass-env` is set. */
export function withVariables(
  context: CommandContext,
  client: Client,
  entry: JsonObject,
  flags: ClientEntryFlags,
): JsonObject {
  const names = flags.passEnv === true ? variablesNotPassed(context, client, entry, flags) : [];
  return client.environment?.withVariables?.(entry, names) ?? entry;
}

/** Returns the variables that the config uses but the client does not pass to mcpmux. */
export function variablesNotPassed(
  context: CommandContext,
  client: Client,
  entry: JsonObject,
  { project }: ClientEntryFlags,
): readonly string[] {
  const location = configOrUndefined(context, project === undefined ? {} : { projectConfig: project });
  if (location === undefined) return [];
  const environment = completeEnvironment(location, context);
  const passed = passedEnvironment(client, entry, { ...context, environment });
  return passed === undefined
    ? []
    : [...missingVariables(location, { ...context, environment: passed }).keys()];
}

/** Returns the script of this installation, if the entry must start it instead of the published package. */
export function localScript(
  { local }: ClientEntryFlags,
  script: string | undefined = process.argv[1],
): string | undefined {
  if (script === undefined || local === false) return undefined;
  const file = realpathSync(script);
  return local === true || isCheckout(file) ? file : undefined;
}

function muxEntry({ platform }: CommandContext, entry: ClientEntryFlags): JsonObject {
  const script = localScript(entry);
  const localInstallation = script === undefined ? undefined : { node: process.execPath, script };
  const flags = [
    ...(entry.project === true ? ['--project-config'] : []),
    ...(entry.shared === true ? ['--shared'] : []),
  ];
  return ownEntry({ platform, localInstallation, flags });
}
