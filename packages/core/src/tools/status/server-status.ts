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
 * One server's status, as in `list_servers`. Never contains values of environment variables or headers, or arguments
 * that look like secrets.
 */
export interface ServerStatus {
  readonly name: string;
  /**
   * The layer of a server that belongs to a workspace or session. Distinguishes servers with the same name. Absent for
   * a server that all clients share, and in `list_servers`, where names are unique.
   */
  readonly layer?: string;
  /** The layer's workspace. Absent if the layer does not belong to one. */
  readonly workspace?: string;
  /** The session, if only its client can use the server. */
  readonly session?: number;
  /** The program. Absent for a remote server and for a failed server. */
  readonly command?: string;
  readonly args?: readonly string[];
  /** The URL without user, password and query values. Absent for a program. */
  readonly url?: string;
  readonly status: StatusName;
  /** The names under which clients see the server's tools. */
  readonly tools: readonly string[];
  /** Null for a remote server. */
  readonly pid?: number | null;
  readonly uptime_seconds?: number;
  /** The negotiated protocol revision. Present only while the server is running. */
  readonly protocol_version?: string;
  /** The era of that revision: `legacy` up to 2025-11-25, `modern` from 2026-07-28. Present with `protocol_version`. */
  readonly era?: Era;
  /**
   * A second run, if the server supports both eras, for clients that would lose features on the bridge to the first.
   */
  readonly second_run?: SecondRunStatus;
  readonly restarts: number;
  readonly dropped_lines: number;
  /** The results of the health check's pings. Absent without a health check, and in `list_servers`. */
  readonly health?: HealthStatus;
  /** The number of log messages and progress notifications that the rate limit has dropped. Absent if it is 0. */
  readonly dropped_notifications?: number;
  /** The names under which clients see the server's prompts. Absent if there are none. */
  readonly prompts?: readonly string[];
  /** The number of resources that the server lists. Absent if it is 0. */
  readonly resources?: number;
  /** Maps each URI that another server also uses to the URI under which clients see it. */
  readonly resource_aliases?: Readonly<Record<string, string>>;
  /** The tools whose definitions have changed since the previous run or since they were approved. */
  readonly changed_tools?: readonly string[];
  /** The tools that are blocked until they are approved, with the reasons. */
  readonly blocked_tools?: Readonly<Record<string, PinReason>>;
  /** The server's sandbox: its rights and, once the server has run, the confining program. Absent without a sandbox. */
  readonly sandbox?: string;
  readonly warnings?: readonly string[];
  readonly last_error?: LastError;
  /** The settings that the server's config contains. */
  readonly settings?: ServerSettings;
  /** Describes the next automatic restart. Present only if restarts are configured. */
  readonly restart?: string;
  /** The state of restarts: one is pending, mcpmux gave up, or a call triggered another attempt. Absent otherwise. */
  readonly restart_state?: 'waiting' | 'given-up' | 'trying';
}

/** The run that serves clients of the other era. */
export interface SecondRunStatus {
  readonly era: Era;
  readonly protocol_version: string;
  /** Null for a remote server. */
  readonly pid: number | null;
}

/** The results of a server's health check. */
export interface HealthStatus {
  /** The number of unanswered pings since the last message from the server. */
  readonly missed: number;
  /** The time since the last response to a ping. Absent before the first one. mcpmux pings only silent servers. */
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

/** A server's settings other than its command and its secrets. */
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

/** The members of a supervisor that describe restarts. */
type RestartReport = Partial<Pick<Supervisor, 'restartNote' | 'restartState'>>;

/**
 * Returns a server's status.
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
 * @param now the current time by the server's clock, in milliseconds
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
