import { isAbsolute, resolve } from 'node:path';
import { parseEnv } from 'node:util';

import {
  configProblem,
  isSecretName,
  type DomainSettings,
  type ProcessConfig,
  type SandboxSettings,
  type ServerConfig,
} from '@mcpmux/core';

import { clientCredentials } from './client-credentials.js';
import { CommandLines, AGENT_COMMAND_REFUSAL } from './command-lines.js';
import type { ConfigProblem } from './config-problem.js';
import { urlSetting } from './config-schema.js';
import type { Report, SettingPath } from './config-text.js';
import { interpolate, type InterpolationSources, type ServerSources } from './interpolate.js';
import { runSettings } from './mux-settings.js';
import type { ConfigEntry } from './read-config.js';

/** A server's configuration, and the problems in its entry. */
export interface ServerResolution {
  /** Absent if a problem prevents the server from starting. */
  readonly config?: ServerConfig;
  readonly problems: readonly ConfigProblem[];
}

type LocalEntry = Extract<ConfigEntry, { readonly kind: 'local' }>;
type RemoteEntry = Extract<ConfigEntry, { readonly kind: 'remote' }>;

/** Replaces the placeholders in one server's entry. A missing variable or file prevents the server from starting. */
export function resolveServer(
  entry: LocalEntry | RemoteEntry,
  report: Report,
  sources: ServerSources,
): ServerResolution {
  const refusal = entry.server.mux?.addedByAgent === true ? AGENT_COMMAND_REFUSAL : sources.commandRefusal;
  const expansion = new Expansion(report, allowedSources(sources), new CommandLines(refusal));
  const own =
    entry.kind === 'remote' ? remoteConfig(entry, expansion) : localConfig(entry, expansion, sources);
  const { problems, commands, commandValues } = expansion;
  const clash = commands.clashReason(commandValues);
  if (clash !== undefined) problems.push(report('error', entry.path, clash));
  if (problems.some(({ severity }) => severity === 'error')) return { problems };
  const config = { ...own, ...commands.asConfig };
  const fault = configProblem(config);
  if (fault === undefined) return { config, problems };
  return { problems: [...problems, report('error', entry.path, fault.replace(/\.$/, ''))] };
}

/** Returns the sources of an entry's values. Without variables, secrets and files if `valueRefusal` is set. */
function allowedSources(sources: ServerSources): ServerSources {
  const { valueRefusal } = sources;
  if (valueRefusal === undefined) return sources;
  const readFile = (): never => {
    throw new Error(valueRefusal);
  };
  return { ...sources, environment: {}, readSecret: undefined, readFile };
}

function remoteConfig({ path, server }: RemoteEntry, expansion: Expansion): ServerConfig {
  const { headers, type, mux } = server;
  const client = mux?.clientCredentials;
  const { key, url } = urlSetting(server) ?? { key: 'url', url: '' };
  // `inheritEnv` does not apply to a server at a URL, because mcpmux does not start its process.
  const { inheritEnv: _none, ...settings } = runSettings(mux);
  return {
    ...settings,
    url: expansion.expandText([...path, key], String(url)),
    ...(headers && { headers: expansion.expandTexts([...path, 'headers'], headers) }),
    ...(mux?.publicOnly !== undefined && { publicOnly: mux.publicOnly }),
    ...(client === undefined
      ? mayLogIn(server) && !expansion.deniesValues && { login: true }
      : { clientCredentials: clientCredentials([...path, 'mux', 'clientCredentials'], client, expansion) }),
    // Every type other than `sse` means HTTP. Leave the transport unset, so that mcpmux also tries the deprecated
    // HTTP+SSE, which many of these servers use.
    ...(type === 'sse' && { transport: type }),
  };
}

/**
 * True if mcpmux may log in to a server as the user. A server with an `Authorization` header needs no login, and a
 * server that an agent has added must not use the user's login.
 */
function mayLogIn({ headers = {}, mux }: RemoteEntry['server']): boolean {
  const names = Object.keys(headers).map((name) => name.toLowerCase());
  return !names.includes('authorization') && mux?.addedByAgent !== true;
}

function localConfig(
  { path, server, sandbox }: LocalEntry,
  expansion: Expansion,
  sources: ServerSources,
): ServerConfig {
  const { command, args = [], env = {}, envFile, cwd, mux } = server;
  const cwdSetting = workingDirectory(
    cwd === undefined ? undefined : expansion.expandPath([...path, 'cwd'], cwd),
    sources,
  );
  if (cwdSetting.cwd !== undefined && resolve(cwdSetting.cwd) !== resolve(sources.workspaceFolder))
    expansion.reportIfDenied([...path, 'cwd']);
  if (mux?.inheritEnv === 'all') expansion.reportIfDenied([...path, 'mux', 'inheritEnv']);
  // If the entry must not use outside values, its sandbox comes from the user's config, which may use variables.
  const userPath = (at: SettingPath, text: string): string =>
    expansion.expandPath(at, text, { ...sources, valueRefusal: undefined });
  return {
    command: expansion.expandProgram([...path, 'command'], command),
    args: args.map((arg, index) => expansion.expandArgument([...path, 'args', index], arg)),
    env: {
      ...(envFile !== undefined && expansion.readEnvFile([...path, 'envFile'], envFile)),
      ...expansion.expandTexts([...path, 'env'], env),
    },
    ...runSettings(mux),
    ...cwdSetting,
    ...(sandbox && {
      sandbox: resolveSandbox([...path, 'sandbox'], sandbox, userPath, cwdSetting.cwd ?? sources.cwd),
    }),
  };
}

/** Returns sandbox settings with absolute paths. Relative paths are resolved against the server's working directory. */
function resolveSandbox(
  path: SettingPath,
  { filesystem = {}, network, ...others }: NonNullable<LocalEntry['sandbox']>,
  expand: (path: SettingPath, value: string) => string,
  cwd: string,
): SandboxSettings {
  const files: Record<string, readonly string[]> = {};
  for (const [key, paths = []] of Object.entries(filesystem)) {
    files[key] = paths.map((one, index) => resolve(cwd, expand([...path, 'filesystem', key, index], one)));
  }
  return { ...others, filesystem: files, ...(network !== undefined && { network: networkOf(network) }) };
}

function networkOf(
  network: NonNullable<NonNullable<LocalEntry['sandbox']>['network']>,
): boolean | DomainSettings {
  if (typeof network === 'boolean') return network;
  const { allowedDomains = [], deniedDomains = [] } = network;
  return { allowedDomains, deniedDomains };
}

/** Returns a server's working directory: its `cwd`, or else the config's folder. */
function workingDirectory(
  cwd: string | undefined,
  { workspaceFolder, cwd: own }: InterpolationSources,
): Pick<ProcessConfig, 'cwd'> {
  if (cwd !== undefined) return { cwd: resolve(workspaceFolder, cwd) };
  return workspaceFolder === own ? {} : { cwd: workspaceFolder };
}

/** Replaces the placeholders in one server's entry, and collects the problems. */
class Expansion {
  readonly problems: ConfigProblem[] = [];
  /** The values in which command output will replace `${cmd:...}` when the server starts. */
  readonly commandValues: string[] = [];

  constructor(
    private readonly report: Report,
    private readonly sources: ServerSources,
    readonly commands: CommandLines,
  ) {}

  /** True if the entry must not use values from outside its file. */
  get deniesValues(): boolean {
    return this.sources.valueRefusal !== undefined;
  }

  /** Reports a setting that an entry must not have if it must not use outside values. */
  reportIfDenied(path: SettingPath): void {
    const { valueRefusal } = this.sources;
    if (valueRefusal !== undefined) this.problems.push(this.report('error', path, valueRefusal));
  }

  /**
   * Replaces the placeholders in a value. Registers the command of each `${cmd:...}`, to run when the server starts.
   */
  expandText(path: SettingPath, value: string): string {
    const sources = { ...this.sources, addCommand: (line: string) => this.commands.addLine(line) };
    const text = this.replace(path, value, sources);
    this.commandValues.push(text);
    return text;
  }

  private replace(path: SettingPath, value: string, sources: InterpolationSources & ServerSources): string {
    const { text, problems } = interpolate(value, sources);
    this.problems.push(
      ...problems.map((problem) => this.report('error', path, sources.valueRefusal ?? problem)),
    );
    return text;
  }

  /** Expands the path of a file or a folder, including a leading `~`, because no shell does. */
  expandPath(path: SettingPath, value: string, sources = this.sources): string {
    return this.replace(path, value, sources).replace(/^~(?=[/\\]|$)/, () => this.sources.home);
  }

  /** Expands the path of a program. Reports an error if it contains arguments, because no shell splits it. */
  expandProgram(path: SettingPath, value: string): string {
    const program = this.expandPath(path, value);
    if (/\S\s+\S/.test(program) && !/^\s*[/.~\\"]|^\s*[A-Za-z]:/.test(program)) {
      const message = 'no shell is involved: the words behind the program belong into "args"';
      this.problems.push(this.report('error', path, message));
    }
    return program;
  }

  /** Expands an argument. Warns if it contains a secret, because process lists and list_servers show arguments. */
  expandArgument(path: SettingPath, value: string): string {
    if (placeholderBodies(value).some((body) => /^(?:file|secret|cmd):/.test(body) || isSecretName(body))) {
      const message = 'list_servers and process lists show arguments: pass secrets in "env"';
      this.problems.push(this.report('warning', path, message));
    }
    return this.expandText(path, value);
  }

  expandTexts(path: SettingPath, values: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
    return Object.fromEntries(
      Object.entries(values).map(([name, value]) => [name, this.expandText([...path, name], value)]),
    );
  }

  readEnvFile(path: SettingPath, value: string): Readonly<Record<string, string>> {
    const file = this.expandPath(path, value);
    const { workspaceFolder, readFile } = this.sources;
    try {
      const text = readFile(isAbsolute(file) ? file : resolve(workspaceFolder, file));
      const values = definedValues(parseEnv(text));
      this.commandValues.push(...Object.values(values));
      return values;
    } catch {
      this.problems.push(this.report('error', path, this.sources.valueRefusal ?? 'the file cannot be read'));
      return {};
    }
  }
}

/** Returns each placeholder's variable name, or its scheme if that is `file:`, `secret:` or `cmd:`. */
function placeholderBodies(value: string): readonly string[] {
  return [...value.matchAll(/\$\{(?:env:)?(file:|secret:|cmd:|[^}:]*)/g)].map(([, body = '']) => body);
}

function definedValues(values: NodeJS.Dict<string>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
