import { printable } from '../terminal/columns.js';
import type { Colours } from '../terminal/colours.js';
import { milliseconds } from '../terminal/duration.js';
import type { LogItem } from '../live/server-log.js';
import type { ServerState } from '../live/server-state.js';
import type { CallItem, TopState } from './top-state.js';

/** The lines of the panel for the chosen server: all that match the filter, the latest last. */
export function panelLines(state: TopState, colours: Colours): readonly string[] {
  const lines = allLines(state, colours);
  const filter = state.filter.toLowerCase();
  return filter === '' ? lines : lines.filter((line) => line.toLowerCase().includes(filter));
}

function allLines(state: TopState, colours: Colours): readonly string[] {
  const { chosen, servers } = state;
  const server = servers.find(({ name }) => name === chosen);
  switch (state.panel) {
    case 'logs':
      return state.logs.flatMap((item) => (item.server === chosen ? [logLine(item, colours)] : []));
    case 'calls':
      return state.calls.flatMap((item) => (item.server === chosen ? [callLine(item, colours)] : []));
    case 'tools':
      return server?.tools.map(printable) ?? [];
    case 'info':
      return server === undefined ? [] : infoLines(server, colours);
  }
}

function logLine({ time, text, isEvent }: LogItem, { dim, bold }: Colours): string {
  const shown = printable(text);
  return `${dim(clockTime(time))}  ${isEvent ? bold(shown) : shown}`;
}

function callLine({ time, tool, ms, ending, problem }: CallItem, { dim, red, yellow }: Colours): string {
  const name = printable(tool);
  if (ms === undefined || ending === undefined) return `${dim(clockTime(time))}  ${yellow('…')}  ${name}`;
  const isFine = ending === 'result' && problem === undefined;
  const mark = isFine ? ' ' : red('✖');
  const how = isFine ? '' : `  ${red(printable(problem ?? ending))}`;
  return `${dim(clockTime(time))}  ${mark}  ${name}  ${milliseconds(ms)}${how}`;
}

function infoLines(server: ServerState, { dim, red }: Colours): readonly string[] {
  const { name, status, pid, restarts, droppedLines, warnings, problem } = server;
  const rows: readonly (readonly [string, string])[] = [
    ['name', name],
    ['state', status === 'idle' ? 'idle: stopped, and starts with its next call' : status],
    ['pid', pid === undefined ? '-' : String(pid)],
    ['restarts', String(restarts)],
    ['stdout lines that are not MCP', String(droppedLines)],
  ];
  return [
    ...rows.map(([key, value]) => `${dim(key.padEnd(32))}${value}`),
    ...warnings.map((warning) => `warning: ${printable(warning)}`),
    ...(problem === undefined ? [] : problem.split('\n').map((line) => red(printable(line)))),
  ];
}

/** The local time of day. */
function clockTime(time: number): string {
  const date = new Date(time);
  return [date.getHours(), date.getMinutes(), date.getSeconds()]
    .map((part) => String(part).padStart(2, '0'))
    .join(':');
}
