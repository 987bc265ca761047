import type { Usage } from '@mcpmux/dashboard';

import { clockTime } from '../base/clock-time.js';
import { printable } from '../terminal/columns.js';
import type { Colours } from '../terminal/colours.js';
import { formatDuration, formatMilliseconds } from '../terminal/duration.js';
import type { LogItem } from '../live/server-log.js';
import type { ServerState } from '../live/server-state.js';
import type { ClientStatus } from '@mcpmux/core';
import type { CallItem, TopState } from './top-state.js';

/** The maximum length of displayed arguments, in characters. */
const MAX_LENGTH = 200;

/** Returns the current panel's lines that match the filter. Logs and calls are sorted from old to new. */
export function panelLines(state: TopState, colours: Colours): readonly string[] {
  const lines = unfilteredLines(state, colours);
  const filter = state.filter.toLowerCase();
  return filter === '' ? lines : lines.filter((line) => line.toLowerCase().includes(filter));
}

function unfilteredLines(state: TopState, colours: Colours): readonly string[] {
  const { selectedName, servers } = state;
  const server = servers.find(({ name }) => name === selectedName);
  switch (state.panel) {
    case 'logs':
      return state.logs.flatMap((item) => (item.server === selectedName ? [logLine(item, colours)] : []));
    case 'calls':
      return state.calls.flatMap((item) => (item.server === selectedName ? [callLine(item, colours)] : []));
    case 'tools':
      return server?.tools.map(printable) ?? [];
    case 'info':
      return server === undefined ? [] : infoLines(server, state, colours);
    case 'clients':
      return state.clients?.map((client) => clientLine(client, colours)) ?? [];
  }
}

function logLine({ time, text, isEvent }: LogItem, { dim, bold }: Colours): string {
  const printableText = printable(text);
  return `${dim(clockTime(time))}  ${isEvent ? bold(printableText) : printableText}`;
}

function callLine({ time, tool, ms, ending, problem, ...call }: CallItem, colours: Colours): string {
  const { dim, red, yellow } = colours;
  const name = printable(tool);
  const args = call.arguments === undefined ? '' : `  ${dim(printable(call.arguments.slice(0, MAX_LENGTH)))}`;
  if (ms === undefined || ending === undefined)
    return `${dim(clockTime(time))}  ${yellow('…')}  ${name}${args}`;
  const hasSucceeded = ending === 'result' && problem === undefined;
  const mark = hasSucceeded ? ' ' : red('✖');
  const problemText = hasSucceeded ? '' : `  ${red(printable(problem ?? ending))}`;
  return `${dim(clockTime(time))}  ${mark}  ${name}  ${formatMilliseconds(ms)}${problemText}${args}`;
}

function clientLine(client: ClientStatus, { dim }: Colours): string {
  const {
    session,
    client: name = 'unnamed',
    protocol_version: revision,
    connected_seconds,
    in_flight,
  } = client;
  const revisionText = revision === undefined ? '' : `  MCP ${printable(revision)}`;
  const connectedText = `connected for ${formatDuration(connected_seconds)}`;
  return `${dim(String(session).padStart(3))}  ${printable(name)}${revisionText}  ${connectedText}  ${in_flight} requests in flight`;
}

function usageRows(usage: Usage | undefined): readonly (readonly [string, string])[] {
  if (usage === undefined) return [];
  return [
    ['processor, in % of one core', cpuText(usage)],
    ['memory', memoryText(usage)],
  ];
}

/** Formats CPU usage as a percentage of one core, or as `-` if it is unknown. */
export function cpuText({ cpuPercent: cpu }: Usage): string {
  return cpu === undefined ? '-' : `${cpu < 10 ? cpu.toFixed(1) : cpu.toFixed(0)} %`;
}

/** Formats memory usage in megabytes. */
export function memoryText({ memoryBytes }: Usage): string {
  return `${Math.round(memoryBytes / 1_000_000)} MB`;
}

function infoLines(server: ServerState, { usageByPid }: TopState, { dim, red }: Colours): readonly string[] {
  const { name, status, pid, restarts, droppedLines, sandbox, warnings, problem } = server;
  const rows: readonly (readonly [string, string])[] = [
    ['name', name],
    ['state', status === 'idle' ? 'idle: stopped, and starts with its next call' : status],
    ['pid', pid === undefined ? '-' : String(pid)],
    ...usageRows(pid === undefined ? undefined : usageByPid.get(pid)),
    ...(sandbox === undefined ? [] : [['sandbox', printable(sandbox)] as const]),
    ['restarts', String(restarts)],
    ['stdout lines that are not MCP', String(droppedLines)],
  ];
  return [
    ...rows.map(([key, value]) => `${dim(key.padEnd(32))}${value}`),
    ...warnings.map((warning) => `warning: ${printable(warning)}`),
    ...(problem === undefined ? [] : problem.split('\n').map((line) => red(printable(line)))),
  ];
}
