import { paramText, type Message } from '@mcpmux/wire';
import { BoundedMap } from '../../base/bounded-map.js';
import type { RequestHeaders } from '../../remote/request-headers.js';
import { ENVELOPE, envelopePath } from '../envelope-keys.js';
import { headerValue } from './header-value.js';
import { headersOfCall, parameterHeaders, type ParameterHeaders } from './parameter-headers.js';

type Request = Extract<Message, { kind: 'request' }>;

const VERSION = envelopePath('version');
const CALL = 'tools/call';
/** The member of `params` that a request is about, by method. */
const SUBJECTS: ReadonlyMap<string, string> = new Map([
  [CALL, 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
  ['tasks/get', 'taskId'],
  ['tasks/update', 'taskId'],
  ['tasks/cancel', 'taskId'],
]);
/** Tools of one server whose parameters are sent as headers. */
const MAX_TOOLS = 10_000;

/** The headers that say of each request to one server what it is, and of each call what its tool wants said. */
export class ModernRequestHeaders implements RequestHeaders {
  readonly paths = [['_meta', ENVELOPE.version], 'name', 'uri', 'taskId'];
  private readonly tools = new BoundedMap<string, ParameterHeaders>(MAX_TOOLS);

  of(line: Buffer, request: Request): Readonly<Record<string, string>> | undefined {
    const version = paramText(line, request, VERSION);
    if (version === undefined) return undefined;
    const { method } = request;
    const subject = SUBJECTS.get(method);
    const name = subject && paramText(line, request, subject);
    const headers = method === CALL && name !== undefined ? this.tools.get(name) : undefined;
    return {
      'mcp-protocol-version': headerValue(version),
      'mcp-method': headerValue(method),
      ...(name !== undefined && { 'mcp-name': headerValue(name) }),
      ...(headers && headersOfCall(line, headers)),
    };
  }

  /** Takes note of a tool as it is listed. Returns why the list must not have it, if so. */
  listed(name: string, definition: Buffer): string | undefined {
    const headers = parameterHeaders(definition);
    if ('problem' in headers) return headers.problem;
    if (headers.size > 0 || this.tools.get(name) !== undefined) this.tools.set(name, headers);
    return undefined;
  }
}
