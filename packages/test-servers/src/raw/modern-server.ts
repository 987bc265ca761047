import process from 'node:process';

import { connectLifeline } from './lifeline-client.js';
import { readLines } from './lines.js';
import type { Message, Params } from './message.js';
import { answer, fail, lineOf, notify, write } from './output.js';
import { describeTool, type Request, type Tool } from './raw-server.js';
import type { ModernListenRequests } from './modern-listens.js';

/** The revision that the modern fixtures support. */
export const MODERN_VERSION = '2026-07-28';
const META_PREFIX = 'io.modelcontextprotocol/';

/** The settings in which the raw fixtures of the modern era differ. */
export interface ModernProgram {
  readonly name: string;
  readonly capabilities?: object;
  readonly instructions?: string;
  readonly tools?: readonly Tool[];
  /** Handlers for additional methods, by method name. */
  readonly requests?: Readonly<Record<string, (request: Request) => void>>;
  /** If absent, `subscriptions/listen` is an unknown method. */
  readonly listenRequests?: ModernListenRequests;
  /** Members to add to each cacheable result. Defaults to the members that the revision requires. */
  readonly resultMembers?: { readonly result: object; readonly cached: object };
  /** Called first for every message. Calls `proceed` for the usual handling, immediately, later or never. */
  intercept?(message: Message, proceed: () => void, line: Buffer): void;
}

const REQUIRED_MEMBERS = {
  result: { resultType: 'complete' },
  cached: { ttlMs: 60_000, cacheScope: 'public' },
};

/** Serves the modern era on stdin and stdout without an SDK. */
export function serveModern(program: ModernProgram): void {
  connectLifeline('server');
  readLines(process.stdin, (line) => {
    const message: Message = JSON.parse(line.toString());
    const proceed = (): void => dispatch(program, message, line);
    if (program.intercept === undefined) proceed();
    else program.intercept(message, proceed, line);
  });
}

/** Returns a member of a request's `_meta` envelope. */
export function envelopeMember({ _meta: meta }: Params, key: string): unknown {
  return meta?.[`${META_PREFIX}${key}`];
}

/** Sends a cacheable result. */
export function answerCacheable(
  { resultMembers = REQUIRED_MEMBERS }: Pick<ModernProgram, 'resultMembers'>,
  id: string | number,
  result: object,
): void {
  answer(id, { ...result, ...resultMembers.result, ...resultMembers.cached });
}

/** Sends a result of type `complete`. */
export function answerComplete(id: string | number, result: object): void {
  answer(id, { ...result, ...REQUIRED_MEMBERS.result });
}

/** Sends a result that requests input. */
export function requestInput(
  id: string | number,
  inputRequests: object | undefined,
  requestState?: string,
): void {
  answer(id, { resultType: 'input_required', inputRequests, requestState });
}

function dispatch(program: ModernProgram, { id, method, params = {} }: Message, line: Buffer): void {
  if (method === 'notifications/cancelled') program.listenRequests?.cancel(params.requestId);
  if (id === undefined || method === undefined) return;
  const problem = envelopeError(params, method);
  if (problem !== undefined) return write(lineOf({ id, error: problem }));
  const request = { id, params, line };
  const { tools = [] } = program;
  if (method === 'server/discover') answerCacheable(program, id, discoverResult(program));
  else if (method === 'tools/list') answerCacheable(program, id, { tools: tools.map(describeTool) });
  else if (method === 'tools/call') callTool(tools, request);
  else if (method === 'subscriptions/listen' && program.listenRequests !== undefined)
    program.listenRequests.open(request);
  else {
    const handle = program.requests?.[method];
    if (handle === undefined) fail(id, -32601, `unknown method: ${method}`);
    else handle(request);
  }
}

function callTool(tools: readonly Tool[], request: Request): void {
  const tool = tools.find(({ name }) => name === request.params.name);
  if (tool === undefined) fail(request.id, -32602, `unknown tool: ${request.params.name}`);
  else tool.call({ ...request, arguments: request.params.arguments ?? {} });
}

function envelopeError(params: Params, method: string): object | undefined {
  const requested = envelopeMember(params, 'protocolVersion');
  const data = { supported: [MODERN_VERSION], requested: requested ?? params.protocolVersion };
  if (method === 'initialize') return { code: -32022, message: 'no handshake here', data };
  if (requested === undefined || envelopeMember(params, 'clientCapabilities') === undefined)
    return { code: -32602, message: 'the envelope is missing' };
  return requested === MODERN_VERSION ? undefined : { code: -32022, message: 'unsupported version', data };
}

function discoverResult({ name, capabilities, instructions }: ModernProgram): object {
  return {
    supportedVersions: [MODERN_VERSION],
    capabilities: capabilities ?? { tools: { listChanged: true } },
    instructions,
    _meta: { [`${META_PREFIX}serverInfo`]: { name, version: '1.0.0' } },
  };
}

/** Sends a progress notification for a request. */
export function sendProgress({ params }: Request, progress: number, total: number): void {
  const { _meta: meta } = params;
  if (meta?.progressToken !== undefined)
    notify('notifications/progress', { progressToken: meta.progressToken, progress, total });
}
