import type { Edit, Span } from '@mcpmux/wire';
import type { RequestLine } from '../request/exchange.js';
import { ENVELOPE, envelopePath } from '../../server/dialect/envelope-keys.js';
import { keyBefore } from '../../server/link/members.js';
import { envelopeEdits } from './request-envelope.js';

const PATHS = [envelopePath('info'), envelopePath('capabilities'), envelopePath('version')] as const;
const [INFO, CAPABILITIES, VERSION] = PATHS;

/**
 * The description of one client in each request to a server. The bytes are made once, because requests of one client
 * repeat it.
 */
export class ClientDescription {
  private readonly info: Buffer;
  /** Undefined where the capabilities stay as the client wrote them. */
  private readonly capabilities: Buffer | undefined;
  private readonly meta: Buffer;

  /**
   * @param members of `_meta`, JSON text by key
   * @param isAsDeclared whether the server is told of the capabilities that the client declares, all of them
   */
  constructor(
    readonly members: Readonly<Record<string, string>>,
    isAsDeclared: boolean,
  ) {
    this.info = Buffer.from(members[ENVELOPE.info] ?? '{}');
    this.capabilities = isAsDeclared ? undefined : Buffer.from(members[ENVELOPE.capabilities] ?? '{}');
    const all = Object.entries(members).map(([key, json]) => `${JSON.stringify(key)}:${json}`);
    this.meta = Buffer.from(`"_meta":{${all.join(',')}},`);
  }

  /** The edits in a request that describes its client. Its revision stays: mcpmux takes only the one that servers get. */
  replaced(request: RequestLine): readonly Edit[] {
    const { params } = request;
    const info = params.get(INFO);
    const capabilities = params.get(CAPABILITIES);
    // A request that mcpmux itself has read as another one, or without a name of the client.
    if (info === undefined || capabilities === undefined || !params.has(VERSION)) return this.added(request);
    const named: Edit = { span: info, bytes: this.info };
    return this.capabilities === undefined
      ? [named]
      : [named, { span: capabilities, bytes: this.capabilities }];
  }

  /** The edits in a request that does not describe its client. */
  added({ line, params }: RequestLine): readonly Edit[] {
    const name = params.get('name');
    // Where params begin is not known, and where one of them stands is.
    if (name === undefined || params.has('_meta')) return envelopeEdits(line, this.members);
    return [{ span: emptyAt(keyBefore(line, name)), bytes: this.meta }];
  }
}

function emptyAt(at: number): Span {
  return { start: at, end: at };
}
