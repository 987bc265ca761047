import type { Announcement } from '../live/announcement.js';
import { isBroken } from '../live/outcome.js';
import type { ServerState } from '../live/server-state.js';
import { truncate, inColumns } from '../terminal/columns.js';
import type { Colours } from '../terminal/colours.js';
import { formatDuration, formatMilliseconds } from '../terminal/duration.js';
import { cpuText, memoryText, panelLines } from './top-panel.js';
import { PANELS, type TopState } from './top-state.js';

/** The values, besides the state, that determine the screen's contents. */
export interface Frame {
  readonly instance: Announcement;
  readonly columns: number;
  readonly rows: number;
  readonly colours: Colours;
  /** The current time in milliseconds since the Unix epoch. */
  readonly now: number;
}

const TABLE_HEAD = ['', 'NAME', 'STATE', 'TOOLS', 'CALLS', 'FAILED', 'NOW', 'P50', 'P95', 'UP'];
/** Additional columns on wide terminals. On narrow terminals, only the panel `info` displays these values. */
const USAGE_HEAD = ['CPU', 'MEMORY'];
const MIN_COLUMNS_FOR_USAGE = 100;
const KEY_HINTS = '↑↓ server  tab panel  r restart  d d remove  / filter  f follow  ? help  q quit';
const HELP_LINES = [
  '↑ ↓ j k        choose a server',
  'tab ← →        logs, calls, tools, info, clients',
  'page up, down  scroll; f goes back to the end',
  '/              show only lines with a text; escape ends it',
  'r              restart the server; asks while it has calls in flight',
  'd d            remove the server until mcpmux starts again',
  'q              quit',
];

/** Returns all lines of the screen, truncated to the terminal's size. */
export function screenLines(state: TopState, frame: Frame): readonly string[] {
  const { columns, rows } = frame;
  const table = tableLines(state, frame);
  // The table gets up to a third of the rows, but no fewer than three if it needs them. The panel gets the rest.
  const visibleRows = visibleLines(table.slice(1), chosenIndex(state), Math.max(3, Math.floor(rows / 3)));
  const header = [titleLine(state, frame), '', table[0] ?? '', ...visibleRows, '', tabsLine(state, frame)];
  const space = Math.max(0, rows - header.length - 2);
  const content = state.mode === 'help' ? HELP_LINES : panelContent(state, frame, space);
  const paddedContent = [
    ...content.slice(0, space),
    ...Array.from({ length: Math.max(0, space - content.length) }, () => ''),
  ];
  return [...header, ...paddedContent, '', footerLine(state, frame)]
    .slice(-rows)
    .map((line) => truncate(line, columns));
}

/** Returns the title, the table and the panel's last lines, for output that is not a terminal. */
export function snapshotLines(state: TopState, frame: Frame): readonly string[] {
  const lines = panelLines(state, frame.colours).slice(-SNAPSHOT_LINES);
  return [titleLine(state, frame), '', ...tableLines(state, frame), '', tabsLine(state, frame), ...lines];
}

const SNAPSHOT_LINES = 10;

function titleLine({ servers, clients, missedCount }: TopState, { instance, colours, now }: Frame): string {
  const { bold, dim, red, yellow } = colours;
  const count = (kind: string): number => servers.filter(({ status }) => status === kind).length;
  const [idle, crashed, failed] = [count('idle'), count('crashed'), count('failed')];
  const counts = [
    `${count('running')} of ${servers.length} running`,
    ...(idle === 0 ? [] : [`${idle} idle`]),
    ...(crashed === 0 ? [] : [red(`${crashed} crashed`)]),
    ...(failed === 0 ? [] : [red(`${failed} failed`)]),
    ...(clients === undefined ? [] : [`${clients.length} ${clients.length === 1 ? 'client' : 'clients'}`]),
    ...(missedCount === 0 ? [] : [yellow(`${missedCount} events missed`)]),
  ].join(', ');
  const uptime = formatDuration((now - instance.started) / 1000);
  return `${bold(`mcpmux ${instance.pid}`)}  up ${uptime}  ${counts}  ${dim(instance.config ?? instance.cwd)}`;
}

function tableLines(state: TopState, { colours, columns }: Frame): readonly string[] {
  const hasUsage = state.usageByPid.size > 0 && columns >= MIN_COLUMNS_FOR_USAGE;
  const head = [...TABLE_HEAD, ...(hasUsage ? USAGE_HEAD : []), ''].map((cell) => colours.dim(cell));
  const rows = state.servers.map((server) => [
    ...tableRow(server, state, colours),
    ...(hasUsage ? usageCells(server, state) : []),
    server.problem?.split('\n', 1)[0] ?? '',
  ]);
  return inColumns([head, ...rows], Number.POSITIVE_INFINITY).split('\n');
}

function tableRow(
  server: ServerState,
  { summaries, selectedName }: TopState,
  { bold, red }: Colours,
): readonly string[] {
  const { name, status, tools, uptimeSeconds } = server;
  const { count = 0, failed = 0, running = 0, p50, p95 } = summaries[name] ?? {};
  const isChosen = name === selectedName;
  return [
    `${isChosen ? '▸' : ' '} ${statusMark(status)}`,
    isChosen ? bold(name) : name,
    isBroken(status) ? red(status) : status,
    String(tools.length),
    String(count),
    failed === 0 ? '0' : red(String(failed)),
    String(running),
    p50 === undefined ? '-' : formatMilliseconds(p50),
    p95 === undefined ? '-' : formatMilliseconds(p95),
    uptimeSeconds === undefined ? '-' : formatDuration(uptimeSeconds),
  ];
}

function usageCells({ pid }: ServerState, { usageByPid }: TopState): readonly string[] {
  const usage = pid === undefined ? undefined : usageByPid.get(pid);
  return usage === undefined ? ['-', '-'] : [cpuText(usage), memoryText(usage)];
}

function statusMark(status: string): string {
  if (status === 'running') return '●';
  return status === 'starting' || status === 'idle' ? '○' : '✖';
}

function tabsLine({ panel: panelName, filter, mode }: TopState, { colours }: Frame): string {
  const { bold, dim } = colours;
  const names = PANELS.map((name) => (name === panelName ? bold(`[${name}]`) : dim(` ${name} `))).join(' ');
  if (mode === 'filter') return `${names}  /${filter}▏`;
  return filter === '' ? names : `${names}  /${filter}`;
}

function panelContent(state: TopState, { colours }: Frame, space: number): readonly string[] {
  const lines = panelLines(state, colours);
  if (lines.length === 0) return [colours.dim(emptyPanelText(state))];
  const end = Math.max(Math.min(space, lines.length), lines.length - state.linesUp);
  return lines.slice(Math.max(0, end - space), end);
}

function emptyPanelText({ servers, panel: panelName, filter }: TopState): string {
  if (servers.length === 0) return 'There are no servers yet.';
  return filter === '' ? `No ${panelName} yet.` : `No line of ${panelName} contains "${filter}".`;
}

function footerLine({ mode, message, selectedName = '', linesUp }: TopState, { colours }: Frame): string {
  if (mode === 'confirm-remove')
    return colours.yellow(`Remove ${selectedName}? Press d again to remove it, or any other key to cancel.`);
  if (mode === 'confirm-restart')
    return colours.yellow(
      `${selectedName} has calls in flight. Press r again to restart it, or any other key to cancel.`,
    );
  if (message !== '') return colours.yellow(message);
  return colours.dim(linesUp === 0 ? KEY_HINTS : `${linesUp} lines up  ${KEY_HINTS}`);
}

function chosenIndex({ servers, selectedName }: TopState): number {
  return Math.max(
    0,
    servers.findIndex(({ name }) => name === selectedName),
  );
}

/** Returns as many lines as fit into `space`, scrolled so that the selected line is visible. */
function visibleLines(lines: readonly string[], index: number, space: number): readonly string[] {
  const start = Math.min(Math.max(0, index - space + 1), Math.max(0, lines.length - space));
  return lines.slice(start, start + space);
}
