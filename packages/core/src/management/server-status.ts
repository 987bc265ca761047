import type { CatalogSnapshot } from '../catalog/catalog.js';
import { stderrTailOf, summarize, type RunFailure } from '../upstream/run-failure.js';
import type { Upstream } from '../upstream/upstream.js';

/** One server as `list_servers` shows it. Values of environment variables never appear here. */
export interface ServerStatus {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly status: 'starting' | 'running' | 'crashed';
  /** Names under which its tools are called. */
  readonly tools: readonly string[];
  readonly pid?: number;
  readonly uptime_seconds?: number;
  readonly restarts: number;
  readonly dropped_lines: number;
  readonly warnings?: readonly string[];
  readonly last_error?: LastError;
}

/** Why a server does not run. */
export interface LastError {
  readonly message: string;
  readonly exit_code?: number;
  readonly signal?: string;
  readonly stderr_tail?: readonly string[];
}

/** @param now a reading of the clock that the upstream's state was stamped with, in milliseconds */
export function serverStatus(upstream: Upstream, { tools }: CatalogSnapshot, now: number): ServerStatus {
  const { state, config, name } = upstream;
  return {
    name,
    command: config.command,
    args: config.args ?? [],
    status: state.kind === 'removed' ? 'crashed' : state.kind,
    tools: tools.filter((tool) => tool.upstream === upstream).map((tool) => tool.exposedName),
    ...(state.kind === 'running' && {
      pid: state.pid,
      uptime_seconds: Math.round((now - state.since) / 100) / 10,
    }),
    restarts: upstream.restarts,
    dropped_lines: upstream.dropped,
    ...(upstream.warnings.length > 0 && { warnings: upstream.warnings }),
    ...(state.kind === 'crashed' && { last_error: lastError(name, state.failure) }),
  };
}

function lastError(server: string, failure: RunFailure): LastError {
  const tail = stderrTailOf(failure);
  const exit = failure.kind === 'exited' ? failure.exit : undefined;
  return {
    message: summarize(server, failure),
    ...(exit?.exitCode !== undefined && exit.exitCode !== null && { exit_code: exit.exitCode }),
    ...(exit?.signal !== undefined && exit.signal !== null && { signal: exit.signal }),
    ...(tail.length > 0 && { stderr_tail: tail }),
  };
}
