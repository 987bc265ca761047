import type { ToolAnswer } from './agents.js';

/** One server as `list_servers` shows it. */
export interface ListedServer {
  readonly name: string;
  readonly status: 'starting' | 'running' | 'crashed';
  readonly tools: readonly string[];
  readonly pid?: number;
  readonly restarts: number;
}

/** The server of that name in an answer of `list_servers`. */
export function serverIn(
  { structured }: Pick<ToolAnswer, 'structured'>,
  name: string,
): ListedServer | undefined {
  const servers = (structured['servers'] ?? []) as readonly ListedServer[];
  return servers.find((server) => server.name === name);
}
