import type { Json } from './connection.js';
import { McpError, send } from './mcp.js';
import { isJson } from './values.js';

/** The members of an entry that `add_server` accepts. */
const ACCEPTED_MEMBERS: ReadonlySet<string> = new Set([
  'command',
  'args',
  'env',
  'cwd',
  'inheritEnv',
  'sandbox',
  'url',
  'headers',
  'protocol',
  'startTimeoutMs',
  'restart',
  'callTimeoutMs',
]);

/**
 * Returns the arguments of `add_server` for a config entry.
 *
 * @throws Error for an entry with a member that needs a config
 */
export function addArguments(name: string, entry: unknown): Json {
  const { type, transport, ...members } = (entry ?? {}) as Json;
  const unsupported = Object.keys(members).filter((member) => !ACCEPTED_MEMBERS.has(member));
  if (unsupported.length > 0)
    throw new Error(
      `${name}: ${unsupported.join(', ')} needs a config, and this mcpmux serves none. Leave it out, or start mcpmux with --config.`,
    );
  const transportName = transport ?? type;
  const isKnown = transportName === 'http' || transportName === 'sse';
  return { name, ...members, ...(isKnown && { transport: transportName }) };
}

/**
 * Returns an entry in which secrets replace their references, because references work only in a config.
 *
 * @throws Error for a reference to a secret that the user did not enter
 */
export function withSecrets(entry: unknown, secrets: Readonly<Record<string, string>>): unknown {
  if (Array.isArray(entry)) return entry.map((member) => withSecrets(member, secrets));
  if (isJson(entry))
    return Object.fromEntries(Object.entries(entry).map(([key, one]) => [key, withSecrets(one, secrets)]));
  if (typeof entry !== 'string') return entry;
  return entry.replaceAll(/\$\{secret:([^}]+)\}/g, (reference, name: string) => {
    const { [name]: secret } = secrets;
    if (secret === undefined)
      throw new Error(
        `${reference} needs a config, and this mcpmux serves none. Put the value in its place.`,
      );
    return secret;
  });
}

/** Adds servers to an mcpmux without a config until it ends. Resolves with the message for the user. */
export async function addForNow(servers: Json, secrets: Readonly<Record<string, string>>): Promise<string> {
  const all = Object.entries(servers).map(([name, entry]) => addArguments(name, withSecrets(entry, secrets)));
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
