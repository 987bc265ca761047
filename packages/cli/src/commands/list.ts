import type { LoadedConfig } from '@mcpmux/config';

import { askInstance } from '../live/ask-instance.js';
import { readLastRuns } from '../config/last-runs.js';
import { outcomesOfLastRuns } from '../live/outcomes-of-last-runs.js';
import { liveServers, servedServers } from '../live/live-servers.js';
import { isBroken, type LiveOptions, type Outcome } from '../live/outcome.js';
import { printResult, printNote, type CommandContext, type Action } from '../terminal/command-context.js';
import { shellWord } from '../terminal/shell-word.js';
import { withSpinner } from '../terminal/spinner.js';
import { exitCodeOfRows } from './apply-change.js';
import { configFlagsText, type ConfigFlags } from '../config/config-choice.js';
import { loadServedConfig } from './load-servers.js';
import { outcomeRow, rowFromConfig } from './outcome-row.js';
import { programProblem } from './program-problem.js';
import { rowLine, rowsText, stateRow, type ServerRow } from './server-row.js';

/** Flags of `mcpmux list`. */
export interface ListFlags extends ConfigFlags {
  readonly tools?: boolean;
  /** Starts the servers, unless a running mcpmux serves the config. */
  readonly check?: boolean;
  /** False with `--no-start`: the rows then come from the config alone. */
  readonly start?: boolean;
  /** Lists the servers of every running mcpmux. */
  readonly all?: boolean;
  /** Starts the servers for this command, even if a running mcpmux serves the config. */
  readonly fresh?: boolean;
  readonly timeout?: number;
}

/**
 * Lists the servers of the config. Their states come from the mcpmux that serves the config, from their last runs, or
 * from a start by this command.
 */
export const list: Action<ListFlags> = async (context, _, flags) => {
  if (flags.all === true) return (await import('./list-instances.js')).listInstances(context);
  const config = loadServedConfig(context, flags);
  const served =
    flags.start === false
      ? { rows: config.servers.map((server) => rowFromConfig(config, server)), shown: 0, instance: undefined }
      : await readRows(context, config, flags);
  const { shown: printedCount, instance } = served;
  const rows = await Promise.all(served.rows.map((row) => withStartProblem(context, config, row)));
  const data = { config: config.file, instance: instance?.pid, servers: rows };
  printResult(context, data, rowsText(context, rows.slice(printedCount), flags.tools === true));
  if (instance !== undefined) printNote(context, `in the running mcpmux with pid ${instance.pid}`);
  printNote(
    context,
    rows.length === 0
      ? `${config.file} has no servers. Next: mcpmux add NAME -- COMMAND`
      : nextStepText(rows, configFlagsText(flags)),
  );
  return exitCodeOfRows(rows);
};

/** Adds a problem to a row if its server has not been started and the server's program is unusable. */
async function withStartProblem(
  context: CommandContext,
  { servers }: LoadedConfig,
  row: ServerRow,
): Promise<ServerRow> {
  if (row.status !== 'ready') return row;
  const server = servers.find(({ name }) => name === row.name);
  const problem = await programProblem(server, context);
  return problem === undefined ? row : { ...row, problem };
}

/** Returns the rows, the number already printed, and the running mcpmux that serves the config, if there is one. */
async function readRows(context: CommandContext, config: LoadedConfig, flags: ListFlags) {
  const toStart = serversToStart(flags);
  const rowPrinter = new RowPrinter(context, config, toStart === 'all' && flags.tools !== true);
  const options: LiveOptions = {
    ...flags,
    toStart,
    environment: context.environment,
    onOutcome: (outcome, all) => rowPrinter.addOutcome(outcome, all),
  };
  const work = toStart === undefined ? servedServers(config) : liveServers(config, options);
  await using live = await withSpinner(context, () => rowPrinter.progress, work);
  if (live === undefined) {
    const outcomes = outcomesOfLastRuns(config, readLastRuns(config, context.environment));
    return { rows: outcomes.map((outcome) => outcomeRow(config, outcome)), shown: 0, instance: undefined };
  }
  const calls = live.instance === undefined ? {} : await askInstance(live.instance, 'calls', {});
  const configured = live.outcomes.map((outcome) => outcomeRow(config, outcome, calls));
  const others = live.states.filter(
    ({ name }) => flags.profile === undefined && !configured.some((row) => row.name === name),
  );
  const rows = [...configured, ...others.map((state) => stateRow(state, calls))];
  return { rows, shown: rowPrinter.printedCount, instance: live.instance };
}

/** Returns undefined to start no server. The rows then come from a running mcpmux or from the servers' last runs. */
function serversToStart({ check, fresh, timeout, tools }: ListFlags): LiveOptions['toStart'] {
  if (check === true || fresh === true || timeout !== undefined) return 'all';
  return tools === true ? 'unknown' : undefined;
}

/** On a terminal, prints each server's row as soon as the outcome of its start is known. */
class RowPrinter {
  printedCount = 0;
  progress: string;
  private outcomeCount = 0;

  constructor(
    private readonly context: CommandContext,
    private readonly config: LoadedConfig,
    private readonly isPrinting: boolean,
  ) {
    this.progress = `starting the servers of ${config.file}`;
  }

  addOutcome(outcome: Outcome, all: number): void {
    this.outcomeCount += 1;
    this.progress = `starting the servers of ${this.config.file}: ${this.outcomeCount} of ${all}`;
    const { streams } = this.context;
    if (!this.isPrinting || !streams.isInteractive) return;
    this.printedCount += 1;
    streams.redraw('');
    streams.out(`${rowLine(this.context, outcomeRow(this.config, outcome), this.config.servers)}\n`);
  }
}

/** @param flagsText the flags with which the suggested command uses the same config */
function nextStepText(rows: readonly ServerRow[], flagsText: string): string {
  const broken = rows.find(({ status }) => isBroken(status));
  if (broken !== undefined) return `Next: mcpmux doctor ${shellWord(broken.name)}${flagsText}`;
  const isStopped = rows.every(({ status }) => status === 'ready' || status === 'disabled');
  return isStopped
    ? `No mcpmux serves this config now. Next: mcpmux list --check${flagsText} starts its servers once`
    : '';
}
