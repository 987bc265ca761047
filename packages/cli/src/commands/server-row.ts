import type { CallSummary } from '@mcpmux/dashboard';
import type { ServerState } from '../live/server-state.js';
import type { Colours } from '../terminal/colours.js';
import { inColumns, printable } from '../terminal/columns.js';
import type { CommandContext } from '../terminal/command-context.js';
import { formatDuration, formatMilliseconds } from '../terminal/duration.js';
import { shortReason } from '../live/short-reason.js';

/** A row of `mcpmux list`, as `--json` prints it. */
export interface ServerRow {
  readonly name: string;
  readonly status:
    | 'running'
    | 'idle'
    | 'starting'
    | 'crashed'
    | 'failed'
    | 'ready'
    | 'disabled'
    | 'not_loaded'
    | 'not_selected';
  readonly tools?: readonly string[];
  readonly start_ms?: number;
  readonly uptime_seconds?: number;
  /** The MCP revision that the server uses. */
  readonly protocol_version?: string;
  readonly era?: string;
  readonly problem?: string;
  /** The reason for a status that is not a failure. */
  readonly note?: string;
  /** Statistics of the server's calls. Absent if no running mcpmux has the server. */
  readonly calls?: CallSummary;
}

/** Returns the row for a server in a running mcpmux. */
export function stateRow(
  { name, status, tools, uptimeSeconds, protocolVersion, era, problem }: ServerState,
  calls: Readonly<Record<string, CallSummary>> = {},
): ServerRow {
  if (status === 'running' || status === 'idle') {
    return {
      name,
      status,
      tools,
      ...(uptimeSeconds !== undefined && { uptime_seconds: uptimeSeconds }),
      ...(protocolVersion !== undefined && { protocol_version: protocolVersion }),
      ...(era !== undefined && { era }),
      ...(calls[name] !== undefined && { calls: calls[name] }),
    };
  }
  if (status === 'starting') return { name, status };
  const kind = status === 'failed' ? 'failed' : 'crashed';
  return { name, status: kind, ...(problem !== undefined && { problem }) };
}

/** Formats one row with columns wide enough for all servers, so that rows printed one at a time align. */
export function rowLine(
  { streams }: CommandContext,
  row: ServerRow,
  servers: readonly { readonly name: string; readonly status: string }[],
): string {
  const names = servers.map(({ name }) => name);
  const statuses = servers.map(({ status }) => LONGEST_STATUSES[status] ?? status);
  const ruler = [' ', longestText(names), longestText(statuses), ''];
  const lines = inColumns([ruler, cells(row, streams.outColours)], streams.columns).split('\n');
  return lines[1] ?? '';
}

/** Maps a server's status in the config to the longest status that its row may contain. */
const LONGEST_STATUSES: Readonly<Record<string, string>> = { ready: 'running', misconfigured: 'failed' };

function longestText(texts: readonly string[]): string {
  return texts.reduce((longer, text) => (text.length > longer.length ? text : longer), '');
}

/** Formats rows in columns. With `withTools`, each server's tools follow its row. */
export function rowsText({ streams }: CommandContext, rows: readonly ServerRow[], withTools = false): string {
  const { outColours: colours, columns } = streams;
  const lines = inColumns(
    rows.map((row) => cells(row, colours)),
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

function cells(row: ServerRow, colours: Colours): readonly string[] {
  return [statusMark(row, colours), row.name, labelOf(row.status), detailsText(row)];
}

/** Returns the readable label for a status. The status `ready` means that the server has not been started. */
export function labelOf(status: string): string {
  return status === 'ready' ? 'not started' : status.replace('_', ' ');
}

function statusMark({ status }: ServerRow, { green, red, dim, yellow }: Colours): string {
  switch (status) {
    case 'running':
      return green('●');
    case 'crashed':
    case 'failed':
    case 'not_loaded':
      return red('✖');
    case 'starting':
      return yellow('○');
    case 'ready':
    case 'idle':
    case 'disabled':
    case 'not_selected':
      return dim('○');
  }
}

function detailsText({
  name,
  status,
  tools,
  start_ms: startMs,
  uptime_seconds: uptime,
  protocol_version: revision = '',
  era,
  problem,
  note,
  calls,
}: ServerRow): string {
  if (problem !== undefined) return printable(shortReason(name, problem));
  if (tools === undefined) return note ?? '';
  const parts = [
    countText(tools.length, 'tool'),
    ...(era === 'modern' ? [`MCP ${revision}`] : []),
    ...(calls === undefined ? [] : [callsText(calls)]),
    ...(status === 'idle' ? [IDLE_NOTE] : []),
    ...(status === 'ready' ? [LAST_RUN_NOTE] : []),
    ...(startMs === undefined ? [] : [`up in ${formatMilliseconds(startMs)}`]),
    ...(startMs === undefined && uptime !== undefined ? [`up ${formatDuration(uptime)}`] : []),
  ];
  return parts.join(', ');
}

const IDLE_NOTE = 'starts with its next call';

const LAST_RUN_NOTE = 'as of its last run';

function callsText({ count, failed, p95 }: CallSummary): string {
  const countWithFailures = countText(count, 'call') + (failed === 0 ? '' : ` (${failed} failed)`);
  return p95 === undefined ? countWithFailures : `${countWithFailures}, p95 ${formatMilliseconds(p95)}`;
}

function countText(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
