import { ExitCode } from '../exit-code.js';
import type { Announcement } from '../live/announcement.js';
import { liveServers, type Outcome } from '../live/live-servers.js';
import type { ServerState } from '../live/server-state.js';
import { inColumns, printable } from '../terminal/columns.js';
import type { Colours } from '../terminal/colours.js';
import { printResult, tell, type CommandContext } from '../terminal/command-context.js';
import { duration } from '../terminal/duration.js';
import { withSpinner } from '../terminal/spinner.js';
import type { LoadedConfig } from '../config/load-config.js';
import type { ConfigFlags } from './config-choice.js';
import { loadServers, problemsOf } from './load-servers.js';

/** Flags of `mcpmux list`. */
export interface ListFlags extends ConfigFlags {
  readonly tools?: boolean;
  /** False with `--no-start`. */
  readonly start?: boolean;
  /** Of every mcpmux that runs. */
  readonly all?: boolean;
  /** Started here, even where a mcpmux serves the config. */
  readonly fresh?: boolean;
  readonly timeout?: number;
}

/** A row of `mcpmux list`, as `--json` gives it. */
interface Row {
  readonly name: string;
  readonly status: 'running' | 'starting' | 'failed' | 'ready' | 'disabled' | 'unsupported' | 'misconfigured';
  readonly tools?: readonly string[];
  readonly start_ms?: number;
  readonly uptime_seconds?: number;
  readonly problem?: string;
}

/** Lists the servers of the config as they run: in a mcpmux that serves it, or started for this and stopped again. */
export async function list(context: CommandContext, flags: ListFlags): Promise<number> {
  if (flags.all === true) return (await import('./list-instances.js')).listInstances(context);
  const { config } = loadServers(context, flags);
  const { rows, instance } =
    flags.start === false
      ? { rows: config.servers.map((server) => readRow(config, server)), instance: undefined }
      : await started(context, config, flags);
  const data = { config: config.file, instance: instance?.pid, servers: rows };
  printResult(context, data, rowsText(context, rows, flags.tools === true));
  if (instance !== undefined) tell(context, `in the mcpmux that runs with pid ${instance.pid}`);
  tell(
    context,
    rows.length === 0 ? `${config.file} has no servers. Next: mcpmux add NAME -- COMMAND` : footer(rows),
  );
  return rows.some(({ status }) => status === 'failed' || status === 'misconfigured')
    ? ExitCode.Unreachable
    : ExitCode.Ok;
}

async function started(
  context: CommandContext,
  config: LoadedConfig,
  flags: ListFlags,
): Promise<{ readonly rows: readonly Row[]; readonly instance: Announcement | undefined }> {
  const text = `starting ${config.servers.length} servers of ${config.file}`;
  const options = { environment: context.environment, startTimeoutMs: flags.timeout, fresh: flags.fresh };
  await using live = await withSpinner(context, text, liveServers(config, options));
  const configured = live.outcomes.map((outcome) => outcomeRow(config, outcome));
  const others = live.states.filter(({ name }) => !configured.some((row) => row.name === name));
  return { rows: [...configured, ...others.map(stateRow)], instance: live.instance };
}

function outcomeRow(config: LoadedConfig, outcome: Outcome): Row {
  const { name } = outcome;
  switch (outcome.kind) {
    case 'running':
      return {
        ...stateRow(outcome.state),
        ...(outcome.startMs !== undefined && { start_ms: outcome.startMs }),
      };
    case 'starting':
      return { name, status: 'starting' };
    case 'failed':
      return { name, status: 'failed', problem: outcome.reason };
    case 'disabled':
    case 'unsupported':
    case 'misconfigured':
      return readRow(config, { name, status: outcome.kind });
  }
}

/** Agents add servers that no config has. */
function stateRow({ name, status, tools, uptimeSeconds, problem }: ServerState): Row {
  if (status === 'running') {
    return { name, status, tools, ...(uptimeSeconds !== undefined && { uptime_seconds: uptimeSeconds }) };
  }
  return status === 'starting'
    ? { name, status }
    : { name, status: 'failed', ...(problem !== undefined && { problem }) };
}

function readRow(
  config: LoadedConfig,
  { name, status }: Pick<LoadedConfig['servers'][number], 'name' | 'status'>,
): Row {
  if (status === 'unsupported') return { name, status, problem: 'servers at a url are not supported yet' };
  const problems = status === 'misconfigured' ? problemsOf(config, name) : [];
  return { name, status, ...(problems.length > 0 && { problem: problems.join('; ') }) };
}

function rowsText({ streams }: CommandContext, rows: readonly Row[], withTools: boolean): string {
  const { outColours: colours, columns } = streams;
  const lines = inColumns(
    rows.map((row) => [mark(row, colours), row.name, row.status, details(row)]),
    columns,
  ).split('\n');
  if (!withTools) return lines.join('\n');
  return rows
    .flatMap(({ tools = [] }, index) => [
      lines[index] ?? '',
      ...tools.map((tool) => `    ${printable(tool)}`),
    ])
    .join('\n');
}

function mark({ status }: Row, { green, red, dim, yellow }: Colours): string {
  switch (status) {
    case 'running':
      return green('●');
    case 'failed':
    case 'misconfigured':
      return red('✖');
    case 'starting':
    case 'unsupported':
      return yellow('○');
    case 'ready':
    case 'disabled':
      return dim('○');
  }
}

function details({ tools, start_ms: startMs, uptime_seconds: uptime, problem }: Row): string {
  if (problem !== undefined) return printable(problem.split('\n', 1)[0] ?? '');
  if (tools === undefined) return '';
  const count = `${tools.length} ${tools.length === 1 ? 'tool' : 'tools'}`;
  if (startMs !== undefined) return `${count}, up in ${startMs} ms`;
  return uptime === undefined ? count : `${count}, up ${duration(uptime)}`;
}

function footer(rows: readonly Row[]): string {
  const broken = rows.find(({ status }) => status === 'failed' || status === 'misconfigured');
  return broken === undefined ? '' : `Next: mcpmux doctor ${broken.name}`;
}
