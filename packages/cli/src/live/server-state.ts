import { z } from '../base/zod.js';
import type { McpConnection } from './mcp-connection.js';

const stateSchema = z.looseObject({
  name: z.string(),
  status: z.string(),
  tools: z.default(z.array(z.string()), []),
  pid: z.nullish(z.number()),
  uptime_seconds: z.optional(z.number()),
  protocol_version: z.optional(z.string()),
  era: z.optional(z.string()),
  restarts: z.default(z.number(), 0),
  dropped_lines: z.default(z.number(), 0),
  sandbox: z.optional(z.string()),
  warnings: z.default(z.array(z.string()), []),
  last_error: z.optional(
    z.looseObject({ message: z.string(), stderr_tail: z.default(z.array(z.string()), []) }),
  ),
});

/** A server's state, as `list_servers` of any mcpmux version reports it. */
export interface ServerState {
  readonly name: string;
  readonly status: string;
  /** The exposed names of the server's tools. */
  readonly tools: readonly string[];
  readonly pid?: number | undefined;
  readonly uptimeSeconds?: number | undefined;
  /** The server's protocol revision. */
  readonly protocolVersion?: string | undefined;
  readonly era?: string | undefined;
  readonly restarts: number;
  readonly droppedLines: number;
  /** The sandbox program and the server's rights. Absent without a sandbox. */
  readonly sandbox?: string | undefined;
  readonly warnings: readonly string[];
  /** The reason why the server is not running, followed by the last lines of its stderr. */
  readonly problem?: string | undefined;
}

/** Parses an entry of `list_servers`. @throws $ZodError if the value is invalid */
export function parseServerState(entry: unknown): ServerState {
  const { name, status, tools, pid, restarts, warnings, ...state } = stateSchema.parse(entry);
  const { last_error: error } = state;
  const stderrTail = error?.stderr_tail.map((line) => `\n  ${line}`) ?? [];
  return {
    name,
    status,
    tools,
    pid: pid ?? undefined,
    uptimeSeconds: state.uptime_seconds,
    protocolVersion: state.protocol_version,
    era: state.era,
    restarts,
    droppedLines: state.dropped_lines,
    sandbox: state.sandbox,
    warnings,
    problem: error === undefined ? undefined : error.message + stderrTail.join(''),
  };
}

/** Returns the states of a mux's servers, as its own tool `list_servers` reports them. */
export async function statesOf(connection: McpConnection): Promise<readonly ServerState[]> {
  return (await connection.listFromOwnTool('list_servers', 'servers')).map(parseServerState);
}
