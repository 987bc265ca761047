import type { Edit } from '@mcpmux/wire';
import type { RequestLine } from '../request/exchange.js';
import { CLIENT_META_KEYS, envelopePath } from '../../server/dialect/envelope-keys.js';
import { keyBefore } from '../../server/link/members.js';
import { envelopeEdits } from './request-envelope.js';

const CLIENT_PATHS = [envelopePath('info'), envelopePath('capabilities'), envelopePath('version')] as const;
const [INFO, CAPABILITIES, VERSION] = CLIENT_PATHS;

/**
 * A client's description in requests to servers. Serialized in advance, because every request repeats the same bytes.
 */
export class ClientDescription {
  private readonly info: Buffer;
  /** The capabilities to send if they differ from the client's own; otherwise undefined. */
  private readonly capabilities: Buffer | undefined;
  private readonly meta: Buffer;

  /**
   * @param members the description's members in `_meta`, as JSON text by key
   * @param isAsDeclared true if the server gets exactly the client's declared capabilities
   */
  constructor(
    readonly members: Readonly<Record<string, string>>,
    isAsDeclared: boolean,
  ) {
    this.info = Buffer.from(members[CLIENT_META_KEYS.info] ?? '{}');
    this.capabilities = isAsDeclared
      ? undefined
      : Buffer.from(members[CLIENT_META_KEYS.capabilities] ?? '{}');
    const entries = Object.entries(members).map(([key, json]) => `${JSON.stringify(key)}:${json}`);
    this.meta = Buffer.from(`"_meta":{${entries.join(',')}},`);
  }

  /**
   * Returns the edits that replace the client's own description in a request. The revision stays unchanged, because
   * mcpmux accepts only the revision that it sends to servers.
   */
  replacementEdits(request: RequestLine): readonly Edit[] {
    const { params } = request;
    const info = params.get(INFO);
    const capabilities = params.get(CAPABILITIES);
    // Spans are missing if mcpmux has rewritten the request, or if the request does not fully describe its client.
    if (info === undefined || capabilities === undefined || !params.has(VERSION))
      return this.insertionEdits(request);
    const infoEdit: Edit = { span: info, bytes: this.info };
    return this.capabilities === undefined
      ? [infoEdit]
      : [infoEdit, { span: capabilities, bytes: this.capabilities }];
  }

  /** Returns the edits that add the description to a request without one. */
  insertionEdits({ line, params }: RequestLine): readonly Edit[] {
    const nameSpan = params.get('name');
    // The span of `params` itself is unknown, so `_meta` is inserted before a member with a known span: `name`.
    if (nameSpan === undefined || params.has('_meta')) return envelopeEdits(line, this.members);
    const insertionOffset = keyBefore(line, nameSpan);
    return [{ span: { start: insertionOffset, end: insertionOffset }, bytes: this.meta }];
  }
}
