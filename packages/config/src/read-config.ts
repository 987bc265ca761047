import { isObject } from '@mcpmux/clients';
import { foldServerName, isServerName } from '@mcpmux/namespace';

import type { ConfigProblem } from './config-problem.js';
import { configSchema, profilesSchema, serverSchema, urlSetting, type RawServer } from './config-schema.js';
import { parseConfigText, type ConfigText, type Report, type SettingPath } from './config-text.js';
import { clusterSettings, type ClusterSettings } from './cluster-settings.js';
import { codeModeSettings, type CodeModeSettings } from './code-mode-settings.js';
import { exposureSettings, type ExposureSettings } from './exposure-settings.js';
import type { GuardSettings } from '@mcpmux/core/guards';
import { guardSettings } from './guard-settings.js';
import { historySettings, type HistorySettings } from './history-settings.js';
import { httpSettings, type HttpSettings } from './http-settings.js';
import { OWN_NAME } from './own-name.js';
import { sandboxChoice, sandboxOfEntry } from './sandbox-settings.js';
import type { SandboxChoice, SandboxDefaults } from './sandbox-settings.js';
import { serverNameOf } from './server-name.js';
import { sharedEnvironment, type SharedEnvironment } from './shared-environment.js';
import { UnknownKeys } from './unknown-keys.js';

/** A server in a config file. */
export type ConfigEntry = EntryVariant & {
  readonly name: string;
  readonly path: SettingPath;
  /** True if mcpmux must exit when the server fails to start. */
  readonly isRequired: boolean;
};

/** A server whose placeholders have not been replaced yet. */
type EntryVariant =
  | {
      readonly kind: 'local';
      readonly server: RawServer & { readonly command: string };
      /** The server's rights in its sandbox. Absent if the server is not confined. */
      readonly sandbox?: ReturnType<typeof sandboxOfEntry>;
    }
  | { readonly kind: 'remote'; readonly server: RawServer }
  | { readonly kind: 'disabled' | 'misconfigured' };

/** The settings of the user's config that also apply to the servers that a project's config adds. */
type OuterConfig = Pick<ConfigReading, 'sandboxForAll' | 'isLazyForAll'>;

/** The contents of a config file. */
export interface ConfigReading {
  /** False if a fault makes the whole config unusable. */
  readonly isUsable: boolean;
  /** `mux.shared`. True if windows share one process. */
  readonly isShared: boolean;
  /** `mux.sharedEnvironment`, which decides which variables may differ between windows that share a process. */
  readonly sharedEnvironment?: SharedEnvironment | undefined;
  /** The server entries: those in `mcpServers` first, then those in `servers`. */
  readonly entries: readonly ConfigEntry[];
  /** The entries, if a fault in a guarding section makes the config unusable. Used only to report their problems. */
  readonly unusedEntries?: readonly ConfigEntry[];
  /** Server names by profile. */
  readonly profiles: Readonly<Record<string, readonly string[]>>;
  /** The checks and limits that a request must pass before it reaches a server. */
  readonly guards?: GuardSettings | undefined;
  /** The clients that mcpmux admits over HTTP. */
  readonly http?: HttpSettings | undefined;
  /** The cluster that this mcpmux belongs to. */
  readonly cluster?: ClusterSettings | undefined;
  /** `mux.exposure`, which selects the tools in the clients' lists. */
  readonly exposure?: ExposureSettings | undefined;
  /** `mux.codeMode`, which decides whether clients get `run_code`. */
  readonly codeMode?: CodeModeSettings | undefined;
  /** `mux.history`, which decides whether tool calls are stored. */
  readonly history?: HistorySettings | undefined;
  /** `mux.sandbox`, the sandbox of all servers whose entries do not set one. */
  readonly sandboxForAll?: SandboxChoice | undefined;
  /** `mux.lazy`. True if servers start only when a request needs them, unless their entries say otherwise. */
  readonly isLazyForAll?: boolean | undefined;
  readonly problems: readonly ConfigProblem[];
  readonly report: Report;
}

/**
 * A fault in one of these sections makes the whole config unusable, because mcpmux must not serve clients unguarded.
 */
const GUARDING_SECTIONS: ReadonlySet<unknown> = new Set(['guards', 'http', 'cluster', 'sandbox']);

function isGuardingPath([first, second]: SettingPath): boolean {
  return GUARDING_SECTIONS.has(first) || (first === 'mux' && second === 'sandbox');
}

const REQUIRED_WARNING = '"mux.required" is not used: a server of a project does not end mcpmux';

const SERVER_LIST_KEYS = ['mcpServers', 'servers'] as const;

/**
 * Reads a config file's text. A fault in a server's entry affects only that server.
 *
 * @param outer the user's config, if this is a project's config that adds servers to it. Its sandbox applies to all of
 * them, and their `required` is ignored
 */
export function readConfig(file: string, source: string, outer?: OuterConfig): ConfigReading {
  const text = parseConfigText(file, source);
  const { value, syntaxErrors, report } = text;
  if (syntaxErrors.length > 0)
    return { isUsable: false, isShared: false, entries: [], profiles: {}, problems: syntaxErrors, report };
  const checked = configSchema.safeParse(value);
  const issues = checked.error?.issues ?? [];
  // In a client's settings file without servers, `sandbox` is the client's own setting: ignore faults in it.
  const faults = issues
    .filter(({ path }) => path[0] !== 'sandbox' || hasServers(value))
    .map(({ path, message }) => ({ path: path.map(toSegment), message }));
  const fatalFaults = faults.filter(({ path }) => path.length < 2 || isGuardingPath(path));
  const isGuardsOnly = fatalFaults.every(({ path }) => isGuardingPath(path));
  if (!isGuardsOnly || !isObject(value)) {
    const problems = fatalFaults.map(({ path, message }) => report('error', path, message));
    return { isUsable: false, isShared: false, entries: [], profiles: {}, problems, report };
  }
  const problems = faults.map(({ path, message }) => report('error', path, message));
  const reading = readServers(value, text, problems, outer);
  // If a guarding section has a fault, the entries serve only to report their problems along with it.
  return fatalFaults.length === 0
    ? reading
    : { ...reading, isUsable: false, entries: [], unusedEntries: reading.entries };
}

function hasServers(value: unknown): boolean {
  return isObject(value) && SERVER_LIST_KEYS.some((key) => value[key] !== undefined);
}

function readServers(
  config: Readonly<Record<string, unknown>>,
  { report, repeatedKeys }: ConfigText,
  problems: ConfigProblem[],
  outer: OuterConfig | undefined,
): ConfigReading {
  const unknownKeys = new UnknownKeys(report);
  const names = new Set<string>();
  unknownKeys.checkTopLevel(config);
  const muxSettings = isObject(config['mux']) ? config['mux'] : {};
  const sandboxes = {
    forAll: sandboxChoiceIn(muxSettings),
    whereEnabled: sandboxChoiceIn(config),
    outer: outer?.sandboxForAll,
  };
  const isLazyForAll = muxSettings['lazy'] === true || outer?.isLazyForAll === true;
  const entries = serverValues(config).map(({ path, value }): ConfigEntry => {
    if (isObject(value)) unknownKeys.checkServer(path, value);
    const parsed = parseEntry(path, value);
    if (outer !== undefined && parsed.isRequired) problems.push(report('warning', path, REQUIRED_WARNING));
    const isNeeded = outer === undefined && parsed.isRequired;
    const entry = withLazyDefault(withSandbox({ ...parsed, isRequired: isNeeded }, sandboxes), isLazyForAll);
    const fault = entry.kind === 'disabled' ? undefined : reserveName(entry.name, names);
    if (fault === undefined) return entry;
    problems.push(report('error', path, fault));
    return { kind: 'misconfigured', name: entry.name, path, isRequired: entry.isRequired };
  });
  const keyWarnings = repeatedKeys.map((path) =>
    report('warning', path, 'this key occurs twice: the last one counts'),
  );
  return {
    isUsable: true,
    isShared: muxSettings['shared'] === true,
    sharedEnvironment: sharedEnvironment.safeParse(muxSettings['sharedEnvironment']).data,
    entries,
    profiles: profilesSchema.safeParse(config['profiles']).data ?? {},
    guards: guardSettings.safeParse(config['guards']).data,
    http: httpSettings.safeParse(config['http']).data,
    cluster: clusterSettings.safeParse(config['cluster']).data,
    exposure: exposureSettings.safeParse(muxSettings['exposure']).data,
    codeMode: codeModeSettings.safeParse(muxSettings['codeMode']).data,
    sandboxForAll: sandboxes.forAll,
    isLazyForAll,
    history: historySettings.safeParse(muxSettings['history']).data,
    problems: [...problems, ...keyWarnings, ...unknownKeys.warnings],
    report,
  };
}

function sandboxChoiceIn(settings: Readonly<Record<string, unknown>>): SandboxDefaults['forAll'] {
  return sandboxChoice.safeParse(settings['sandbox']).data;
}

/** Applies the config's `mux.lazy`. Required servers always start at once, so that mcpmux exits early if one fails. */
function withLazyDefault(entry: ConfigEntry, isDefault: boolean): ConfigEntry {
  if (!isDefault || entry.isRequired) return entry;
  if (entry.kind === 'local')
    return { ...entry, server: { ...entry.server, mux: withLazyMux(entry.server) } };
  return entry.kind === 'remote'
    ? { ...entry, server: { ...entry.server, mux: withLazyMux(entry.server) } }
    : entry;
}

function withLazyMux({ mux }: RawServer): RawServer['mux'] {
  return { lazy: true, ...mux };
}

function withSandbox(entry: ConfigEntry, defaults: SandboxDefaults): ConfigEntry {
  if (entry.kind !== 'local') return entry;
  const sandbox = sandboxOfEntry(entry.server, defaults);
  return sandbox === undefined ? entry : { ...entry, sandbox };
}

function serverValues(
  config: Readonly<Record<string, unknown>>,
): readonly { readonly path: SettingPath; readonly value: unknown }[] {
  return SERVER_LIST_KEYS.flatMap((list) => {
    const servers = config[list];
    if (!isObject(servers)) return [];
    return Object.entries(servers).map(([key, value]) => ({ path: [list, key], value }));
  });
}

function parseEntry(path: SettingPath, value: unknown): ConfigEntry {
  return { ...entryOf(path, value), isRequired: isRequired(value) };
}

/** Reads `mux.required` from the unchecked value, so that it counts even if the entry has a fault elsewhere. */
function isRequired(value: unknown): boolean {
  const mux = isObject(value) ? value['mux'] : undefined;
  return isObject(mux) && mux['required'] === true;
}

function entryOf(path: SettingPath, value: unknown): Omit<ConfigEntry, 'kind' | 'isRequired'> & EntryVariant {
  const key = String(path.at(-1));
  const { data } = serverSchema.safeParse(value);
  if (data === undefined) return { kind: 'misconfigured', name: serverNameOf(key), path };
  const name = data.mux?.name ?? serverNameOf(key);
  if (data.disabled === true || data.enabled === false) return { kind: 'disabled', name, path };
  const { command } = data;
  if (urlSetting(data) !== undefined && (command === undefined || isRemoteType(data)))
    return { kind: 'remote', name, path, server: data };
  if (command === undefined) return { kind: 'misconfigured', name, path };
  return { kind: 'local', name, path, server: { ...data, command } };
}

function isRemoteType({ type }: RawServer): boolean {
  return type !== undefined && type !== 'stdio' && type !== 'local';
}

function reserveName(name: string, taken: Set<string>): string | undefined {
  const folded = foldServerName(name);
  if (folded === OWN_NAME)
    return `the name "${name}" is reserved for mcpmux itself: set "mux": { "name": "..." }`;
  if (!isServerName(name))
    return 'the name of a server must have no "__", no control characters and no "_" at its end';
  if (taken.has(folded)) return `another server has the name "${name}": set "mux": { "name": "..." }`;
  taken.add(folded);
  return undefined;
}

function toSegment(key: PropertyKey): string | number {
  return typeof key === 'symbol' ? String(key) : key;
}
