import { loadConfig, type LoadedConfig } from '@mcpmux/config';
import type { ConfigLocation } from '@mcpmux/config/find';

import type { Announcement } from '../live/announcement.js';
import { applyConfig } from '../live/apply-config.js';
import { folderContext } from '../live/instance-folder.js';
import { runningInstances } from '../live/instances.js';
import { liveServers, outcomesIn } from '../live/live-servers.js';
import { isBroken, type Outcome } from '../live/outcome.js';
import { ExitCode } from '../base/exit-code.js';
import { printNote, type CommandContext } from '../terminal/command-context.js';
import { withSpinner } from '../terminal/spinner.js';
import type { WriteFlags } from '../config/config-choice.js';
import { outcomeRow } from './outcome-row.js';
import { rowsText, type ServerRow } from './server-row.js';

/** Flags of a command that changes servers in the config. */
export interface ChangeFlags extends WriteFlags {
  /** False with `--no-reload`, which leaves every running mcpmux on the old config. */
  readonly reload?: boolean;
}

/** The effect of a config change on running instances, as `--json` prints it. */
export interface AppliedChange {
  /** The process ids of the mcpmux instances that applied the change. */
  readonly instances: readonly number[];
  /** The status rows of the changed servers, from each of these instances or, if there are none, from a test start. */
  readonly servers: readonly ServerRow[];
}

/** The result if no running mcpmux applied the change. */
export const UNAPPLIED: AppliedChange = { instances: [], servers: [] };

/** Applies a change to each mcpmux that serves the config, and prints the status of the changed servers. */
export async function applyChange(
  context: CommandContext,
  location: ConfigLocation,
  names: readonly string[],
  flags: ChangeFlags,
): Promise<AppliedChange> {
  if (flags.reload === false) return UNAPPLIED;
  const serving = runningInstances(folderContext()).filter(({ config }) => config === location.file);
  const applied: AppliedChange[] = [];
  for (const instance of serving) applied.push(await applyInInstance(context, location, names, instance));
  return {
    instances: applied.flatMap(({ instances }) => instances),
    servers: applied.flatMap(({ servers }) => servers),
  };
}

/** Briefly starts a configured server to check that it runs, and prints its status row. */
export async function testServerStart(
  context: CommandContext,
  location: ConfigLocation,
  name: string,
): Promise<readonly ServerRow[]> {
  const config = loadConfig(location, context);
  const options = { environment: context.environment, only: [name], fresh: true };
  await using live = await withSpinner(context, `starting ${name}`, liveServers(config, options));
  return printRows(context, config, live.outcomes, [name]);
}

/** Returns the exit code `Unreachable` if any server in these rows is broken, otherwise `Ok`. */
export function exitCodeOfRows(rows: readonly ServerRow[]): number {
  return rows.some(({ status }) => isBroken(status)) ? ExitCode.Unreachable : ExitCode.Ok;
}

async function applyInInstance(
  context: CommandContext,
  location: ConfigLocation,
  names: readonly string[],
  instance: Announcement,
): Promise<AppliedChange> {
  const { pid } = instance;
  const work = applyConfig(instance, names).catch(() => undefined);
  const applied = await withSpinner(context, `applying the change to the mcpmux with pid ${pid}`, work);
  if (applied === undefined) {
    printNote(
      context,
      `The mcpmux with pid ${pid} serves this config and does not answer. Next: mcpmux reload`,
    );
    return UNAPPLIED;
  }
  if (!applied.change.isUsable) {
    printNote(context, `The mcpmux with pid ${pid} cannot use the config. Next: mcpmux config validate`);
    return UNAPPLIED;
  }
  printNote(context, `Applied to the running mcpmux with pid ${pid}`);
  const config = loadConfig(location, context);
  return {
    instances: [pid],
    servers: printRows(context, config, outcomesIn(config, applied.states, instance), names),
  };
}

function printRows(
  context: CommandContext,
  config: LoadedConfig,
  outcomes: readonly Outcome[],
  names: readonly string[],
): readonly ServerRow[] {
  const rows = outcomes
    .filter(({ name, kind }) => names.includes(name) && kind !== 'disabled')
    .map((outcome) => outcomeRow(config, outcome));
  if (rows.length > 0) printNote(context, rowsText(context, rows));
  return rows;
}
