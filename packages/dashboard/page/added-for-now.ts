import type { Json } from './connection.js';
import { McpError, send } from './mcp.js';

/** The members of an entry that `add_server` takes. */
const TAKEN: ReadonlySet<string> = new Set([
  'command',
  'args',
  'env',
  'cwd',
  'inheritEnv',
  'url',
  'headers',
  'protocol',
  'startTimeoutMs',
  'restart',
  'callTimeoutMs',
]);

/**
 * The arguments of `add_server` for an entry of a config.
 *
 * @throws Error for an entry with a member that needs a config
 */
export function addArguments(name: string, entry: unknown): Json {
  const { type, transport, ...members } = (entry ?? {}) as Json;
  const foreign = Object.keys(members).filter((member) => !TAKEN.has(member));
  if (foreign.length > 0)
    throw new Error(
      `${name}: ${foreign.join(', ')} needs a config, and this mcpmux serves none. Leave it out, or start mcpmux with --config.`,
    );
  const way = transport ?? type;
  const isNamed = way === 'http' || way === 'sse';
  return { name, ...members, ...(isNamed && { transport: way }) };
}

/** Adds servers to an mcpmux without a config, until it ends. Resolves with the words for the user. */
export async function addForNow(servers: Json): Promise<string> {
  const all = Object.entries(servers).map(([name, entry]) => addArguments(name, entry));
  for (const args of all) {
    const result = await send({ method: 'tools/call' }, { name: 'add_server', arguments: args });
    if (result['isError'] === true) throw new McpError(textOf(result));
  }
  return `Added ${Object.keys(servers).join(', ')} until this mcpmux ends.`;
}

function textOf({ content }: Json): string {
  const texts = Array.isArray(content) ? content.map((part: Json) => part?.['text']) : [];
  return texts.filter((text) => typeof text === 'string').join('\n') || 'The server was not added.';
}
