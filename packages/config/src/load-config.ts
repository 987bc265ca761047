import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

import { decodedText } from '@mcpmux/clients';

import { attempt } from './attempt.js';
import { sortedByPosition, type ConfigProblem } from './config-problem.js';
import type { ConfigLocation, ConfigOrigin, ConfigSearch } from './find-config.js';
import { systemKeyring, type Keyring } from './keyring.js';
import type { LoadedConfig, LoadedServer } from './loaded-config.js';
import { withProjectServers } from './merged-config.js';
import { isConfined } from './sandbox-settings.js';
import { readConfig } from './read-config.js';
import { toolSettings } from './tool-settings.js';
import type { ServerSources } from './interpolate.js';
import { resolveServer } from './resolve-server.js';
import { whyMisconfigured } from './why-misconfigured.js';

/** The inputs for loading a config, in addition to its file. */
export interface ConfigContext extends Pick<ConfigSearch, 'environment' | 'home' | 'cwd'> {
  /** The secrets that the config refers to. Defaults to the system keyring. */
  readonly keyring?: Pick<Keyring, 'get'> | undefined;
  /** True if the entries come from another machine. Such entries must not run commands to obtain values. */
  readonly isForeign?: boolean | undefined;
}

/** The reason why a config must not run commands, by the config's origin. */
const COMMAND_REFUSALS: Readonly<Partial<Record<ConfigOrigin, string>>> = {
  project:
    'the config of a project runs no command for a value: put the server into your own config, or name this file with --config',
};
const CONFINED_VALUE_REFUSAL =
  'your mux.sandbox confines the servers of projects: their entries get no variable, secret, input or file of yours, no envFile, no inheritEnv "all", and no cwd except the folder of the project. Put the server into your own config';
const CLUSTER_COMMAND_REFUSAL =
  'an entry of the cluster runs no command for a value: put the server into the config of its node, with "mux": { "cluster": false }';

/** Reads a config file and replaces its placeholders. Never throws, and returns faults as problems. */
export function loadConfig(
  location: ConfigLocation,
  context: ConfigContext,
  readFile: (path: string) => string = readTextFile,
): LoadedConfig {
  const own = loadFile(location, context, readFile);
  const { project } = location;
  if (project === undefined || !own.isUsable) return own;
  return withProjectServers(own, loadFile({ ...project, origin: 'project' }, context, readFile, own));
}

/** @param outer the user's config, if this file is a project config that adds servers to it */
function loadFile(
  { file, folder, origin }: ConfigLocation,
  { environment, home, cwd, keyring = systemKeyring, isForeign = false }: ConfigContext,
  readFile: (path: string) => string,
  outer?: LoadedConfig,
): LoadedConfig {
  const text = attempt(() => readFile(file));
  if (text === undefined) return unreadableConfig(file);
  const { entries: used, unusedEntries, problems, report, ...read } = readConfig(file, text, outer);
  const entries = unusedEntries ?? used;
  const sources: ServerSources = {
    environment,
    home,
    cwd,
    workspaceFolder: folder,
    readFile: (path) => readFile(resolve(folder, path)),
    readSecret: (name) => keyring.get(name),
    commandRefusal: isForeign ? CLUSTER_COMMAND_REFUSAL : COMMAND_REFUSALS[origin],
    valueRefusal: isConfined(outer?.sandboxForAll) ? CONFINED_VALUE_REFUSAL : undefined,
  };
  const all = [...problems];
  const servers = entries.map((entry): LoadedServer => {
    const { name, isRequired } = entry;
    const misconfiguredServer = (): LoadedServer => {
      return { name, status: 'misconfigured', problem: whyMisconfigured(entry.path, all), isRequired };
    };
    if (!('server' in entry))
      return entry.kind === 'disabled' ? { name, status: entry.kind, isRequired } : misconfiguredServer();
    const resolution = resolveServer(entry, report, sources);
    all.push(...resolution.problems);
    const { config } = resolution;
    if (config === undefined) return misconfiguredServer();
    const { server } = entry;
    return {
      name,
      status: 'ready',
      config,
      isRequired,
      tools: toolSettings(server),
      shared: server.mux?.shared,
    };
  });
  const problemsInOrder = sortedByPosition(all);
  const { isUsable, isShared } = read;
  if (!isUsable) return { file, isUsable, isShared, servers: [], profiles: {}, problems: problemsInOrder };
  return { file, ...read, servers, problems: problemsInOrder };
}

function unreadableConfig(file: string): LoadedConfig {
  const message = 'the file cannot be read: check that it exists and that its permissions allow it';
  const problem: ConfigProblem = { severity: 'error', file, line: 1, column: 1, path: '', message };
  return { file, isUsable: false, isShared: false, servers: [], profiles: {}, problems: [problem] };
}

function readTextFile(path: string): string {
  return decodedText(readFileSync(path));
}
