import { ExitCode } from '../exit-code.js';
import { startShortMux, type StartOutcome } from '../live/short-mux.js';
import { inColumns, printable } from '../terminal/columns.js';
import type { Colours } from '../terminal/colours.js';
import { printResult, tell, type CommandContext } from '../terminal/command-context.js';
import { withSpinner } from '../terminal/spinner.js';
import type { LoadedConfig } from '../config/load-config.js';
import type { ConfigFlags } from './config-choice.js';
import { loadServers, problemsOf } from './load-servers.js';

/** Flags of `mcpmux list`. */
export interface ListFlags extends ConfigFlags {
  readonly tools?: boolean;
  /** False with `--no-start`. */
  readonly start?: boolean;
  readonly timeout?: number;
}

/** A row of `mcpmux list`, as `--json` gives it. */
interface Row {
  readonly name: string;
  readonly status: 'running' | 'failed' | 'ready' | 'disabled' | 'unsupported' | 'misconfigured';
  readonly tools?: readonly string[];
  readonly start_ms?: number;
  readonly problem?: string;
}

/** Lists the servers of the config: each is started, asked for its tools and stopped again. */
export async function list(context: CommandContext, flags: ListFlags): Promise<number> {
  const { config } = loadServers(context, flags);
  const rows =
    flags.start === false
      ? config.servers.map((server) => readRow(config, server))
      : await started(context, config, flags);
  printResult(context, { config: config.file, servers: rows }, rowsText(context, rows, flags.tools === true));
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
): Promise<readonly Row[]> {
  const text = `starting ${config.servers.length} servers of ${config.file}`;
  const options = { environment: context.environment, startTimeoutMs: flags.timeout };
  await using short = await withSpinner(context, text, startShortMux(config, options));
  return short.outcomes.map((outcome) => outcomeRow(config, outcome));
}

function outcomeRow(config: LoadedConfig, outcome: StartOutcome): Row {
  const { name } = outcome;
  switch (outcome.kind) {
    case 'running':
      return { name, status: 'running', tools: outcome.status.tools, start_ms: outcome.startMs };
    case 'failed':
      return { name, status: 'failed', start_ms: outcome.startMs, problem: outcome.reason };
    case 'disabled':
    case 'unsupported':
    case 'misconfigured':
      return readRow(config, { name, status: outcome.kind });
  }
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
    case 'unsupported':
      return yellow('○');
    case 'ready':
    case 'disabled':
      return dim('○');
  }
}

function details({ tools, start_ms: startMs, problem }: Row): string {
  if (problem !== undefined) return printable(problem.split('\n', 1)[0] ?? '');
  if (tools === undefined) return '';
  const count = `${tools.length} ${tools.length === 1 ? 'tool' : 'tools'}`;
  return startMs === undefined ? count : `${count}, up in ${startMs} ms`;
}

function footer(rows: readonly Row[]): string {
  const broken = rows.find(({ status }) => status === 'failed' || status === 'misconfigured');
  return broken === undefined ? '' : `Next: mcpmux doctor ${broken.name}`;
}
