import { describeSandbox } from '@mcpmux/sandbox';
import type { Era } from '../../server/dialect/era.js';
import type { CatalogSnapshot } from '../../catalog/catalog-view.js';
import { appearsInLists } from '../../catalog/exposed-definition.js';
import type { NamedList } from '../../catalog/named-list.js';
import { stderrTailOf, stdoutLinesOf, summarize, type RunFailure } from '../../server/link/run-failure.js';
import type { Supervisor } from '../../server/registry/supervisor.js';
import type { Upstream } from '../../server/upstream.js';
import type { PinReason } from '../../server/lists/tool-pins.js';
import { isUnusable, type ProcessConfig, type ServerConfig } from '../../server/config/server-config.js';
import { statusName, type StatusName } from '../../server/upstream-state.js';
import { blockedTools, changedToolNames } from './changed-tools.js';
import { toolDiff } from './tool-diff.js';

/**
 * The status of one server, as in `list_servers`. Never contains values of environment variables or headers, or
 * arguments that look like secrets.
 */
export interface ServerStatus {
  readonly name: string;
  /**
   * The layer of a server in a workspace or session; distinguishes servers with the same name. Absent for a server that
   * all clients share, and in `list_servers`, where names are unique.
   */
  readonly layer?: string;
  /** The workspace of that layer; absent if the layer does not belong to one. */
  readonly workspace?: string;
  /** The session whose client alone sees the server; absent if other clients see it too. */
  readonly session?: number;
  /** The program; absent for a server at a URL and for a failed server. */
  readonly command?: string;
  readonly args?: readonly string[];
  /** URL without user, password and query values; absent for a program. */
  readonly url?: string;
  readonly status: StatusName;
  /** Exposed names of the server's tools. */
  readonly tools: readonly string[];
  /** Null for a server at a URL. */
  readonly pid?: number | null;
  readonly uptime_seconds?: number;
  /** The negotiated protocol revision; present only while the server is running. */
  readonly protocol_version?: string;
  /** The era of that revision: `legacy` up to 2025-11-25, `modern` from 2026-07-28. Present with `protocol_version`. */
  readonly era?: Era;
  /** A second run of a server with both eras, for clients that would lose features on the bridge to the first run. */
  readonly second_run?: SecondRunStatus;
  readonly restarts: number;
  readonly dropped_lines: number;
  /** The pings of the health check. Absent without a health check, and in `list_servers`. */
  readonly health?: HealthStatus;
  /** Log messages and progress notifications dropped by the rate limit; absent if none. */
  readonly dropped_notifications?: number;
  /** Exposed names of the server's prompts; absent if none. */
  readonly prompts?: readonly string[];
  /** Number of resources that the server lists; absent if none. */
  readonly resources?: number;
  /** Maps URIs that another server also has to the URIs that clients use instead. */
  readonly resource_aliases?: Readonly<Record<string, string>>;
  /** Tools whose definitions have changed since the previous run or since their approval. */
  readonly changed_tools?: readonly string[];
  /** Tools blocked until they are approved, with the reason. */
  readonly blocked_tools?: Readonly<Record<string, PinReason>>;
  /** The server's sandbox: the confining program, once the server has run, and the rights; absent without a sandbox. */
  readonly sandbox?: string;
  readonly warnings?: readonly string[];
  readonly last_error?: LastError;
  /** The settings that the server's configuration contains. */
  readonly settings?: ServerSettings;
  /** A phrase about the next automatic restart; present only if restarts are configured. */
  readonly restart?: string;
  /** The state of restarts: one is pending, mcpmux gave up, or a call has led to another attempt. Absent otherwise. */
  readonly restart_state?: 'waiting' | 'given-up' | 'trying';
}

/** The run for clients of the other era. */
export interface SecondRunStatus {
  readonly era: Era;
  readonly protocol_version: string;
  /** Null for a server at a URL. */
  readonly pid: number | null;
}

/** The results of a server's health check. */
export interface HealthStatus {
  /** Number of unanswered pings since the last message from the server. */
  readonly missed: number;
  /** The time since the last answer to a ping. Absent before the first answer. mcpmux pings only silent servers. */
  readonly answered_seconds_ago?: number;
}

/** The reason why a server is not running. */
export interface LastError {
  readonly message: string;
  /** The suggested next step. */
  readonly advice?: string;
  readonly exit_code?: number;
  readonly signal?: string;
  /** The first and last lines of stderr. */
  readonly stderr_tail?: readonly string[];
  /** Lines of stdout that are not MCP messages. */
  readonly stdout_lines?: readonly string[];
}

/** The settings of a server that concern neither its command nor its secrets. */
type ServerSettings = Pick<
  ServerConfig,
  'startTimeoutMs' | 'restart' | 'callTimeoutMs' | 'isolation' | 'protocol'
> &
  Pick<ProcessConfig, 'inheritEnv'>;

const SETTING_NAMES = [
  'inheritEnv',
  'startTimeoutMs',
  'restart',
  'callTimeoutMs',
  'isolation',
  'protocol',
] as const;

/** The members of a supervisor that report restarts. */
type RestartReport = Partial<Pick<Supervisor, 'restartNote' | 'restartState'>>;

/**
 * Returns the status of a server.
 *
 * @param now the current time by the clock of `state.since`, in milliseconds
 */
export function serverStatus(
  upstream: Upstream,
  snapshot: CatalogSnapshot,
  now: number,
  { restartNote, restartState }: RestartReport = {},
): ServerStatus {
  const { state, name } = upstream;
  const { url, command, args } = upstream.redactedCommand;
  const { dropCounts } = upstream;
  const settings = explicitSettings(upstream.config);
  const isLocal = url === undefined && !isUnusable(upstream.config);
  return {
    name,
    ...(url !== undefined && { url }),
    ...(isLocal && { command, args }),
    status: statusName(state),
    tools: namesOf(upstream, snapshot.tools),
    ...(state.kind === 'running' && {
      pid: state.pid,
      uptime_seconds: toSeconds(now - state.since),
      ...(upstream.identity && { protocol_version: upstream.identity.protocolVersion }),
      ...(upstream.connection && { era: upstream.connection.dialect.era }),
      ...secondRunMember(upstream),
    }),
    restarts: upstream.restartCount,
    dropped_lines: dropCounts.lines,
    ...(dropCounts.notifications > 0 && { dropped_notifications: dropCounts.notifications }),
    ...offerStatus(upstream, snapshot),
    ...('sandbox' in upstream.config && sandboxOf(upstream)),
    ...(upstream.warnings.length > 0 && { warnings: upstream.warnings }),
    ...(state.kind === 'crashed' && { last_error: lastError(name, state.failure) }),
    ...(Object.keys(settings).length > 0 && { settings }),
    ...(restartNote !== undefined && { restart: restartNote }),
    ...(restartState !== undefined && { restart_state: restartState }),
  };
}

/**
 * Returns the status of a server's health check.
 *
 * @param now the current time by the upstream's clock, in milliseconds
 */
export function healthStatus({ health }: Pick<Upstream, 'health'>, now: number): HealthStatus | undefined {
  if (health === undefined) return undefined;
  const { missed, answeredAt } = health;
  return { missed, ...(answeredAt !== undefined && { answered_seconds_ago: toSeconds(now - answeredAt) }) };
}

function secondRunMember({
  secondRun: { connection, startResult },
}: Upstream): Pick<ServerStatus, 'second_run'> {
  if (connection === undefined || startResult === undefined) return {};
  const { protocolVersion: protocol_version } = startResult.identity;
  return { second_run: { era: connection.dialect.era, protocol_version, pid: startResult.pid } };
}

function sandboxOf({ config, confinedBy }: Upstream): Pick<ServerStatus, 'sandbox'> {
  if (!('sandbox' in config) || config.sandbox === undefined) return {};
  const rights = describeSandbox(config.sandbox);
  return { sandbox: confinedBy === undefined ? rights : `${confinedBy}; ${rights}` };
}

/** Converts milliseconds to seconds, with one decimal place. */
function toSeconds(ms: number): number {
  return Math.round(ms / 100) / 10;
}

function explicitSettings(config: ServerSettings): ServerSettings {
  return Object.fromEntries(
    SETTING_NAMES.flatMap((name) => (config[name] === undefined ? [] : [[name, config[name]]])),
  );
}

function offerStatus(upstream: Upstream, snapshot: CatalogSnapshot): Partial<ServerStatus> {
  const prompts = namesOf(upstream, snapshot.prompts);
  const resources = upstream.lists.resources.length;
  const aliases = snapshot.resources.aliasesOf(upstream);
  const changed = changedToolNames(upstream, () => toolDiff(upstream).changed);
  const blocked = blockedTools(upstream);
  return {
    ...(prompts.length > 0 && { prompts }),
    ...(resources > 0 && { resources }),
    ...(aliases.size > 0 && { resource_aliases: Object.fromEntries(aliases) }),
    ...(changed.length > 0 && { changed_tools: changed }),
    ...(blocked.length > 0 && { blocked_tools: Object.fromEntries(blocked) }),
  };
}

function namesOf(upstream: Upstream, list: NamedList): readonly string[] {
  return list
    .entriesOf(upstream)
    .filter(appearsInLists)
    .map(({ exposedName }) => exposedName);
}

function lastError(server: string, failure: RunFailure): LastError {
  const stderrTail = stderrTailOf(failure);
  const stdoutLines = stdoutLinesOf(failure);
  const exit = failure.kind === 'exited' ? failure.exit : undefined;
  return {
    message: summarize(server, failure),
    ...('advice' in failure && failure.advice !== undefined && { advice: failure.advice }),
    ...(exit?.exitCode !== undefined && exit.exitCode !== null && { exit_code: exit.exitCode }),
    ...(exit?.signal !== undefined && exit.signal !== null && { signal: exit.signal }),
    ...(stderrTail.length > 0 && { stderr_tail: stderrTail }),
    ...(stdoutLines.length > 0 && { stdout_lines: stdoutLines }),
  };
}
