import { ExitCode } from '../base/exit-code.js';
import type { Announcement } from '../live/announcement.js';
import { callsOf } from '../live/ask-instance.js';
import { liveServers } from '../live/live-servers.js';
import { printResult, tell, type CommandContext, type Action } from '../terminal/command-context.js';
import { withSpinner } from '../terminal/spinner.js';
import type { LoadedConfig } from '../config/load-config.js';
import type { ConfigFlags } from './config-choice.js';
import { loadServers } from './load-servers.js';
import { outcomeRow, readRow } from './outcome-row.js';
import { rowsText, stateRow, type ServerRow } from './server-row.js';

/** Flags of `mcpmux list`. */
export interface ListFlags extends ConfigFlags {
  readonly tools?: boolean;
  /** False with `--no-start`. */
  readonly start?: boolean;
  /** Lists the servers of every running mcpmux. */
  readonly all?: boolean;
  /** Starts the servers here, even if a running mcpmux serves the config. */
  readonly fresh?: boolean;
  readonly timeout?: number;
}

/** Lists the servers of the config and their state: in the mcpmux that serves it, or started for this command. */
export const list: Action<ListFlags> = async (context, _, flags) => {
  if (flags.all === true) return (await import('./list-instances.js')).listInstances(context);
  const { config } = loadServers(context, flags);
  const { rows, instance } =
    flags.start === false
      ? { rows: config.servers.map((server) => readRow(config, server)), instance: undefined }
      : await started(context, config, flags);
  const data = { config: config.file, instance: instance?.pid, servers: rows };
  printResult(context, data, rowsText(context, rows, flags.tools === true));
  if (instance !== undefined) tell(context, `in the running mcpmux with pid ${instance.pid}`);
  tell(
    context,
    rows.length === 0 ? `${config.file} has no servers. Next: mcpmux add NAME -- COMMAND` : footer(rows),
  );
  return rows.some(({ status }) => status === 'failed' || status === 'misconfigured')
    ? ExitCode.Unreachable
    : ExitCode.Ok;
};

async function started(
  context: CommandContext,
  config: LoadedConfig,
  flags: ListFlags,
): Promise<{ readonly rows: readonly ServerRow[]; readonly instance: Announcement | undefined }> {
  const text = `starting the servers of ${config.file}`;
  const options = { ...flags, environment: context.environment };
  await using live = await withSpinner(context, text, liveServers(config, options));
  const calls = live.instance === undefined ? {} : await callsOf(live.instance);
  const configured = live.outcomes.map((outcome) => outcomeRow(config, outcome, calls));
  const others = live.states.filter(({ name }) => !configured.some((row) => row.name === name));
  const rows = [...configured, ...others.map((state) => stateRow(state, calls))];
  return { rows, instance: live.instance };
}

function footer(rows: readonly ServerRow[]): string {
  const broken = rows.find(({ status }) => status === 'failed' || status === 'misconfigured');
  return broken === undefined ? '' : `Next: mcpmux doctor ${broken.name}`;
}
