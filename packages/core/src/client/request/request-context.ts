import { inspect } from 'node:util';

import { type Logger, paramsOf } from '@mcpmux/kit';
import { keyPaths, readMessage } from '@mcpmux/wire';
import type { Era } from '../../server/dialect/era.js';
import type { ClientUser, GuardChange, GuardContext, NestedCalls } from '../../guards/guard.js';
import type { GuardList } from '../../guards/guard-list.js';
import { isFromOtherNode, type Principal } from '../../guards/principal.js';
import type { ClientMessage } from '../../catalog/routing/route-other.js';
import { parsedDefinition } from '../../server/lists/definition.js';
import { toolIdentity, type ToolIdentity } from '../../server/lists/tool-pins.js';
import { shapedArguments } from '../../server/lists/tool-shape.js';
import type { Upstream } from '../../server/upstream.js';
import { CALL_TOOL, unwrapCallTool } from '../caller/call-tool.js';
import { withParams } from './changed-params.js';
import type { Exchange, RequestLine } from './exchange.js';
import { NestedExchanges } from './nested-calls.js';
import { subjectOf, type RequestSubject, type SubjectKind } from './request-subject.js';
import { CLIENT_PARAM_PATHS } from '../caller/client-paths.js';

/** An identity that matches no tool. A call that was approved for it cannot reach any tool. */
const NO_TOOL: ToolIdentity = { server: '', definition: '' };

const numberByObject = new WeakMap<object, number>();
let lastNumber = 0;

interface EraSubjects {
  readonly era: Era;
  readonly subjectKinds: ReadonlyMap<string, SubjectKind>;
}

/** The dependencies of guarded requests. */
export interface GuardParts {
  /** Runs an exchange through its guards and then dispatches it by its method. */
  readonly handleWithGuards: (exchange: Exchange) => void;
  /** Dispatches an exchange by its method, without guards. */
  readonly handle: (exchange: Exchange) => void;
  readonly guards: GuardList;
  readonly logger: Logger;
  readonly dialect: EraSubjects;
  readonly modern: { readonly dialect: EraSubjects };
}

/** A request whose params a guard has changed. */
export interface ReplacementRequest extends RequestLine {
  /** True if the request was inside a call to `call_tool`. */
  readonly isInner: boolean;
}

interface EffectiveRequest extends ClientMessage {
  readonly isInner: boolean;
  readonly replacement?: ReplacementRequest | undefined;
  /** The tool for which a guard has approved the call. */
  readonly approvedFor?: ToolIdentity;
}

/** The context of one request, as guards see it. */
export class RequestContext implements GuardContext {
  readonly method: string;
  readonly session: number;
  readonly principal: Principal;
  readonly client: string | undefined;
  readonly server: string | undefined;
  readonly tool: string | undefined;
  readonly bytes: number;
  readonly isVisible: boolean;
  readonly isNested: boolean;
  readonly era: Era;
  readonly hasSession: boolean;
  readonly #exchange: Exchange;
  readonly #parts: GuardParts;
  readonly #end: Pick<AbortController, 'signal'>;
  readonly #request: EffectiveRequest;
  readonly #subject: RequestSubject;
  #parsed: Readonly<Record<string, unknown>> | undefined;
  #defined: Readonly<Record<string, unknown>> | undefined;
  #calls: NestedCalls | undefined;

  /** @param end provides the request's abort signal, and creates it only when a guard first reads it */
  constructor(
    exchange: Exchange,
    parts: GuardParts,
    end: Pick<AbortController, 'signal'>,
    request: EffectiveRequest = effectiveRequest(exchange),
  ) {
    const { isVisible, ...subject } = effectiveSubject(request, exchange, parts);
    this.#exchange = exchange;
    this.#parts = parts;
    this.#end = end;
    this.#request = request;
    this.#subject = subject;
    this.isVisible = isVisible;
    this.method = exchange.method;
    this.session = exchange.caller.session;
    this.principal = exchange.caller.principal;
    this.client = exchange.caller.profile?.name;
    this.server = subject.server;
    this.tool = subject.tool;
    this.bytes = request.line.length;
    this.isNested = exchange.isNested;
    this.era = exchange.caller.era;
    this.hasSession = exchange.caller.isPersistent;
  }

  get signal(): AbortSignal {
    return this.#end.signal;
  }

  get nested(): NestedCalls {
    this.#calls ??= new NestedExchanges(this.#exchange, this.#parts.handleWithGuards, this.signal);
    return this.#calls;
  }

  get serverScope(): string {
    const layer = this.#subject.upstream?.layer;
    return layer === undefined || layer.isShared ? '' : layer.id;
  }

  get serverVersion(): string {
    return versionOf(this.#subject.upstream);
  }

  /** The request to send instead of the client's request; undefined if no guard has changed it. */
  get replacement(): ReplacementRequest | undefined {
    return this.#request.replacement;
  }

  /** The only tool that the call may reach; undefined if no guard has approved the call. */
  get approvedFor(): ToolIdentity | undefined {
    return this.#request.approvedFor;
  }

  /** @throws Error if the params cannot be changed, or have already been approved */
  withChange({ params, isApproved }: GuardChange): RequestContext {
    const isUnchanged = params === undefined && isApproved === true;
    const request = isUnchanged ? this.#request : this.#changedParams(params);
    const approvedFor =
      request.approvedFor ?? (isApproved === true ? (this.toolIdentity ?? NO_TOOL) : undefined);
    const approvedRequest = { ...request, ...(approvedFor && { approvedFor }) };
    return new RequestContext(this.#exchange, this.#parts, this.#end, approvedRequest);
  }

  #changedParams(params: GuardChange['params']): EffectiveRequest {
    const request = this.#request;
    if (request.approvedFor !== undefined) throw new Error('the request was approved with its params');
    const replacement = { ...withParams(request.line, params), isInner: request.isInner };
    return { ...request, line: replacement.line, params: replacement.params, replacement };
  }

  get isFromNode(): boolean {
    const { toolClient, view } = this.#exchange.caller;
    return isFromOtherNode({ principal: toolClient.principal, view });
  }

  get isApprovedByNode(): boolean {
    const { approvedDefinitionHash } = this.#exchange.caller;
    return approvedDefinitionHash !== undefined && approvedDefinitionHash === this.toolIdentity?.definition;
  }

  get isServerOfAgent(): boolean {
    const { upstream } = this.#subject;
    return upstream?.addedBy !== undefined || upstream?.config.addedByAgent === true;
  }

  get toolIdentity(): ToolIdentity | undefined {
    const { upstream, definition } = this.#subject;
    return upstream && definition && toolIdentity(upstream, definition);
  }

  get user(): ClientUser {
    return this.#exchange.caller.toolClient;
  }

  get params(): Readonly<Record<string, unknown>> {
    this.#parsed ??= paramsOf(this.#request.line);
    return this.#parsed;
  }

  get definition(): Readonly<Record<string, unknown>> | undefined {
    const { definition } = this.#subject;
    if (definition !== undefined) this.#defined ??= parsedDefinition(definition);
    return this.#defined;
  }

  readonly readRaw = (member: string): Buffer | undefined => {
    const { line } = this.#request;
    const message = readMessage(line, keyPaths([[member]]));
    const span = message.kind === 'request' ? message.params.get(member) : undefined;
    return span && Buffer.from(line.subarray(span.start, span.end));
  };

  readonly sentArguments = (args: Buffer | undefined): Buffer | undefined =>
    shapedArguments(args, this.#subject.definition?.shape);

  /** Returns the object that `console.log` prints. The object omits the params, which may contain secrets. */
  [inspect.custom](): object {
    const { method, session, principal, client, server, tool, bytes } = this;
    return { method, session, principal: principal.id, client, server, tool, bytes };
  }
}

/** Returns the request that guards check: the inner one of a call to `call_tool`, or else the exchange's own. */
function effectiveRequest(exchange: Exchange): EffectiveRequest {
  const { method, line, params, caller } = exchange;
  const isCallTool = method === 'tools/call' && exchange.textAt('name')?.text === CALL_TOOL;
  const inner =
    isCallTool && caller.allSources.directory.isOwnTool(CALL_TOOL) ? requestInCallTool(line) : undefined;
  return inner === undefined || 'problem' in inner
    ? { method, line, params, isInner: false }
    : { method, line: inner.line, params: inner.params, isInner: true };
}

/** Returns a request's subject. If entries are hidden from the client, guards still learn the server. */
function effectiveSubject(
  request: ClientMessage,
  { caller }: Exchange,
  { guards, dialect, modern }: Pick<GuardParts, 'guards' | 'dialect' | 'modern'>,
): RequestSubject & { readonly isVisible: boolean } {
  const { subjectKinds: subjects } = caller.era === dialect.era ? dialect : modern.dialect;
  const subject = subjectOf(request, caller.view, subjects);
  const isHidden = subject.server === undefined && guards.hidesEntries;
  return { ...(isHidden ? subjectOf(request, caller.allSources, subjects) : subject), isVisible: !isHidden };
}

/** Returns a version that changes whenever a server starts or its lists change. */
function versionOf(upstream: Upstream | undefined): string {
  if (upstream === undefined) return '';
  const { connection, lists } = upstream;
  return [upstream, connection ?? upstream, lists].map(numberOf).join('.');
}

function numberOf(value: object): number {
  const existingNumber = numberByObject.get(value);
  if (existingNumber !== undefined) return existingNumber;
  lastNumber += 1;
  numberByObject.set(value, lastNumber);
  return lastNumber;
}

/** Converts a call to `call_tool` to a direct call to the inner tool. Returns the problem if the call is invalid. */
export function requestInCallTool(line: Buffer): RequestLine | { readonly problem: string } {
  const inner = unwrapCallTool(line);
  if ('problem' in inner) return inner;
  const message = readMessage(inner.line, CLIENT_PARAM_PATHS);
  if (message.kind !== 'request') throw new Error('the request inside call_tool is not a request');
  return { line: inner.line, idSpan: message.id, params: message.params };
}
