import { keyPaths, MessageReader, NULL_ID, paramText, readId, type RawId, stringAt } from '@mcpmux/wire';

/** Revisions without sessions. Each request describes its client and is independent of other requests. */
export const MODERN_REVISIONS: ReadonlySet<string> = new Set(['2026-07-28']);

/** The key in `_meta` by which a message says that it describes its client. */
export const REVISION_KEY = 'io.modelcontextprotocol/protocolVersion';
const CAPABILITIES_KEY = 'io.modelcontextprotocol/clientCapabilities';

const REVISION = `_meta.${REVISION_KEY}`;
const CAPABILITIES = `_meta.${CAPABILITIES_KEY}`;
/** The end of {@link REVISION_KEY} in a message, whether or not the slash before it is escaped. */
const MENTION = Buffer.from('protocolVersion"');
const OPEN_BRACE = 0x7b;

/** The member of `params` that the header `Mcp-Name` repeats, by method. */
const NAMED: ReadonlyMap<string, string> = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
  ['tasks/get', 'taskId'],
  ['tasks/update', 'taskId'],
  ['tasks/cancel', 'taskId'],
]);

const reader = new MessageReader(
  keyPaths([['_meta', REVISION_KEY], ['_meta', CAPABILITIES_KEY], 'name', 'uri', 'taskId']),
);

/** The parts of a request or notification that the rules of revisions without sessions need. */
export interface ModernMessage {
  readonly line: Buffer;
  readonly isRequest: boolean;
  /** The id of a request. */
  readonly id: RawId;
  readonly method: string;
  /** True if the message says that it describes its client. */
  readonly claims: boolean;
  /** The revision that the message names. Undefined if it does not name one as a string. */
  readonly revision: string | undefined;
  /** False if the mux refuses the description of the client. */
  readonly isDescribed: boolean;
  /** The member of `params` that the header `Mcp-Name` repeats, and the text of this member. */
  readonly named: { readonly member: string; readonly text: string } | undefined;
}

/** True if a message may describe its client. Most legacy messages need no parsing for this check. */
export function mayClaim(line: Buffer): boolean {
  return line.includes(MENTION);
}

/** Reads a request or notification. Returns undefined for any other message. */
export function modernMessage(line: Buffer): ModernMessage | undefined {
  const message = reader.read(line);
  if (message.kind !== 'request' && message.kind !== 'notification') return undefined;
  const { method, params } = message;
  const isRequest = message.kind === 'request';
  const read = isRequest ? readId(line, message.id) : { id: NULL_ID };
  if ('problem' in read) return undefined;
  const found = params.get(REVISION);
  const revision = found && stringAt(line, found);
  const capabilities = params.get(CAPABILITIES);
  const isDescribed =
    revision !== undefined &&
    MODERN_REVISIONS.has(revision) &&
    capabilities !== undefined &&
    line[capabilities.start] === OPEN_BRACE;
  const member = NAMED.get(method);
  const text = member && paramText(line, message, member);
  const named = member !== undefined && text !== undefined ? { member, text } : undefined;
  return { line, isRequest, id: read.id, method, claims: found !== undefined, revision, isDescribed, named };
}
