import { BoundedMap, type Clock, waitAtMost } from '@mcpmux/kit';
import type { Headers, RequestHeaders } from '@mcpmux/remote';
import { keyPaths, paramText, readMessage, type Message } from '@mcpmux/wire';
import { CLIENT_META_KEYS, envelopePath } from '../envelope-keys.js';
import { headerValue, headersOfCall, parameterHeaders } from './parameter-headers.js';
import { ArgumentSpans } from './argument-spans.js';

type RequestMessage = Extract<Message, { kind: 'request' }>;

const VERSION_PATH = envelopePath('version');
const CALL = 'tools/call';
/** The `params` member that names a request's subject (a tool, prompt, resource, or task), by method. */
const SUBJECT_MEMBERS: ReadonlyMap<string, string> = new Map([
  [CALL, 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
  ['tasks/get', 'taskId'],
  ['tasks/update', 'taskId'],
  ['tasks/cancel', 'taskId'],
]);
/** The maximum number of one server's tools whose parameter headers mcpmux remembers. */
const MAX_TOOLS = 10_000;
const NAME_PATH = keyPaths(['name']);
/** How long mcpmux waits after a refused call until the server lists the tool again, in milliseconds. */
const RELIST_TIMEOUT_MS = 5000;

interface NextListing {
  readonly listed: Promise<void>;
  readonly settle: () => void;
}

/**
 * Creates the HTTP headers of each request to one modern server: its revision, method, and subject and, for a tool
 * call, the parameters that the tool requires as headers.
 */
export class ModernRequestHeaders implements RequestHeaders {
  readonly paths = [['_meta', CLIENT_META_KEYS.version], 'name', 'uri', 'taskId'];
  /** Requests the tool list again. The run's dialect sets this function. */
  relist: () => void = () => undefined;
  private readonly spansByTool = new BoundedMap<string, ArgumentSpans>(MAX_TOOLS);
  /** The listings for which refused calls wait, by tool name. */
  private readonly pendingListings = new Map<string, NextListing>();

  constructor(private readonly clock: Clock) {}

  of(line: Buffer, request: RequestMessage): Headers | undefined {
    const version = paramText(line, request, VERSION_PATH);
    if (version === undefined) return undefined;
    const { method } = request;
    const subject = SUBJECT_MEMBERS.get(method);
    const name = subject && paramText(line, request, subject);
    const headers = method === CALL && name !== undefined ? this.spansByTool.get(name) : undefined;
    return {
      'mcp-protocol-version': headerValue(version),
      'mcp-method': headerValue(method),
      ...(name !== undefined && { 'mcp-name': headerValue(name) }),
      ...(headers && headersOfCall(line, headers)),
    };
  }

  /** After a refused call, lists the tools again and waits, because the tool may now require other headers. */
  async renew(line: Buffer): Promise<void> {
    const message = readMessage(line, NAME_PATH);
    const name =
      message.kind === 'request' && message.method === CALL ? paramText(line, message, 'name') : undefined;
    if (name === undefined) return;
    const { listed } = this.pendingListings.get(name) ?? this.expectListing(name);
    this.relist();
    await waitAtMost(RELIST_TIMEOUT_MS, listed, this.clock);
    this.pendingListings.delete(name);
  }

  /** Records a listed tool's parameter headers. If the tool's definition is invalid, returns the reason. */
  recordTool(name: string, definition: Buffer): string | undefined {
    const headers = parameterHeaders(definition);
    if ('problem' in headers) return headers.problem;
    if (headers.size > 0 || this.spansByTool.get(name) !== undefined)
      this.spansByTool.set(name, new ArgumentSpans(headers));
    this.pendingListings.get(name)?.settle();
    return undefined;
  }

  private expectListing(name: string): NextListing {
    let settle = (): void => undefined;
    const listed = new Promise<void>((resolve) => (settle = resolve));
    const listing = { listed, settle };
    this.pendingListings.set(name, listing);
    return listing;
  }
}
