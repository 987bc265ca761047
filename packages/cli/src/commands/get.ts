import { isObject, type JsonObject } from '@mcpmux/clients';

import { redactEntry } from '../redact/entry.js';
import { ExitCode } from '../base/exit-code.js';
import { inColumns } from '../terminal/columns.js';
import { quoteWord } from '../terminal/quoted.js';
import { printResult, type CommandContext, type Action } from '../terminal/command-context.js';
import { configServers, configTextOf, type ConfigFlags } from '../config/config-choice.js';
import { locationOfServer } from './config-holder.js';
import { loadServers, serverErrors } from './load-servers.js';
import { namedEntry } from '../config/named-server.js';
import { labelOf } from './server-row.js';

/** Shows one server of the config, with secret values redacted. */
export const get: Action<ConfigFlags, number> = (context, [name = ''], flags) => {
  const { location: used, config } = loadServers(context, flags);
  const location = locationOfServer(used, name);
  const { reading, valueOf } = configServers(location, configTextOf(location));
  const entry = namedEntry(reading.entries, name, location.file);
  const { line, column } = reading.report('warning', entry.path, '');
  const configStatus = config.servers.find((server) => server.name === entry.name)?.status ?? entry.kind;
  const status = configStatus === 'misconfigured' ? 'failed' : configStatus;
  const problems = serverErrors(config, String(entry.path.at(-1)));
  const redacted = redactEntry(valueOf(entry.path));
  const data = { name: entry.name, status, file: location.file, line, column, entry: redacted, problems };
  printResult(context, data, serverText(context, { ...data, place: `${location.file}:${line}:${column}` }));
  return status === 'failed' ? ExitCode.Usage : ExitCode.Ok;
};

function serverText(
  { streams }: CommandContext,
  server: {
    readonly name: string;
    readonly status: string;
    readonly place: string;
    readonly entry: JsonObject;
    readonly problems: readonly string[];
  },
): string {
  const { bold, dim, red } = streams.outColours;
  const { command, args, env, headers, ...others } = server.entry;
  const words = [command, ...(Array.isArray(args) ? args : [])]
    .filter((word) => word !== undefined)
    .map(String);
  const rows = [
    ['config', server.place],
    ...(words.length > 0 ? [['command', words.map(quoteWord).join(' ')]] : []),
    ...pairRows('env', env, '='),
    ...pairRows('header', headers, ': '),
    ...Object.entries(others).map(([key, value]) => [
      key,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
    ...server.problems.map((problem) => [red('problem'), problem]),
  ];
  const table = inColumns(
    rows.map(([key = '', value = '']) => [`  ${dim(key)}`, value]),
    streams.columns,
  );
  // Omits the status `ready`, which users could mistake for a running server.
  const status = server.status === 'ready' ? '' : `  ${labelOf(server.status)}`;
  return `${bold(server.name)}${status}\n${table}`;
}

function pairRows(title: string, values: unknown, separator: string): readonly (readonly string[])[] {
  if (!isObject(values)) return [];
  return Object.entries(values).map(([name, value]) => [title, `${name}${separator}${String(value)}`]);
}
