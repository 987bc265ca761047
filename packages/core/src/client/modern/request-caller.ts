import { type OutgoingLine, type RpcError, ErrorCode, stringAt } from '@mcpmux/wire';
import type { Caller, RequestOrigin } from '../caller/caller.js';
import type { ProtocolLogLevel } from '../caller/log-level.js';
import type { CallingClient } from '../caller/own-tool-handler.js';
import type { ElicitAnswer } from '../asks/server-requests.js';
import type { Listener } from '../methods/listeners.js';
import { isFromOtherNode, type Principal } from '../../guards/principal.js';
import type { Connection } from '../../server/link/connection.js';
import type { ListKind } from '../../server/lists/list-kind.js';
import type { ClientProfile } from '../../server/dialect/client-profile.js';
import { MODERN_VERSIONS } from '../../server/dialect/revisions.js';
import type { Era } from '../../server/dialect/era.js';
import { elicitationModes } from '../../server/dialect/client-requests.js';
import { type Envelope, originEraOf } from './envelope.js';
import { ArgumentSpans } from '../../server/dialect/modern/argument-spans.js';
import { parameterHeaders } from '../../server/dialect/modern/parameter-headers.js';

/** The request behind a {@link RequestCaller}. */
export interface CallerRequest {
  /** The sender of the request, or of its latest retry. */
  readonly origin: RequestOrigin;
  readonly requester: Principal;
  readonly profile: ClientProfile;
  readonly logLevel: ProtocolLogLevel | undefined;
  readonly envelope: Pick<Envelope, 'originEra' | 'approvedDefinitionHash'>;
  /** Sends the client a message that belongs to the request, such as a progress notification. */
  sendRelated(line: OutgoingLine, from?: Connection, isShared?: boolean): void;
  /** The same client's open requests for notifications. */
  readonly listeners: readonly Listener[];
  /** Presents a form from mcpmux itself to the user. */
  elicit(form: unknown, signal: AbortSignal): Promise<ElicitAnswer>;
  /** Makes this client the primary: mcpmux declares its capabilities to servers that start later. */
  setPrimary(): void;
}

/** The caller of one modern request. The session supplies whatever the request itself does not describe. */
export class RequestCaller implements Caller {
  readonly era = 'modern';

  constructor(readonly request: CallerRequest) {}

  get session(): number {
    return this.request.origin.session;
  }

  get client(): object {
    return this.request.origin.client;
  }

  get isPersistent(): boolean {
    return this.request.origin.isPersistent;
  }

  get principal(): Caller['principal'] {
    return this.request.requester;
  }

  get layer(): Caller['layer'] {
    return this.request.origin.layer;
  }

  get view(): Caller['view'] {
    return this.request.origin.view;
  }

  get allSources(): Caller['allSources'] {
    return this.request.origin.allSources;
  }

  get profile(): ClientProfile {
    return this.request.profile;
  }

  get logLevel(): ProtocolLogLevel | undefined {
    return this.request.logLevel;
  }

  get clientEra(): Era {
    const { origin, envelope } = this.request;
    return originEraOf(origin, envelope.originEra) ?? this.era;
  }

  get approvedDefinitionHash(): string | undefined {
    const { origin, envelope } = this.request;
    return isFromOtherNode(origin) ? envelope.approvedDefinitionHash : undefined;
  }

  get toolClient(): CallingClient {
    const { request } = this;
    return {
      ...request.origin.toolClient,
      revealTools: undefined,
      protocol: { era: this.era, revision: MODERN_VERSIONS[0], name: request.profile.name },
      ...elicitationModes(request.profile.capabilities),
      elicit: (form, signal) => request.elicit(form, signal),
      // Modern clients are not notified after a URL visit: they retry the request instead.
      urlVisited: () => undefined,
    };
  }

  callProblem(line: Buffer, definition: Buffer): RpcError | undefined {
    const { parameter } = this.request.origin;
    return parameter && parameterProblem(line, definition, parameter);
  }

  send(line: OutgoingLine, from?: Connection, isShared?: boolean): void {
    this.request.sendRelated(line, from, isShared);
  }

  whenToolsReady(): Promise<unknown> | undefined {
    return this.request.origin.whenToolsReady(this);
  }

  recordListRead(kind: ListKind): void {
    for (const listener of this.request.listeners) listener.recordListRead(kind);
  }

  /** Notifies only listeners, because a modern client receives list changes only if it listens for them. */
  async announceListChanges(): Promise<void> {
    const { listeners } = this.request;
    for (const listener of listeners) listener.notifyListChanges();
    await Promise.all(listeners.map((listener) => listener.whenListsRequested()));
  }

  setProfile(): void {
    // Ignored, because each request carries its client's description.
  }

  setLogLevel(): void {
    // Ignored, because each request carries its own log level.
  }

  addRequestLogLevel(level: ProtocolLogLevel): void {
    this.request.origin.addRequestLogLevel(level);
  }

  setPrimary(): void {
    this.request.setPrimary();
  }
}

const INTEGER = /^-?\d+(?:\.0+)?$/;
const JSON_NULL = 'null';
const NO_ARGUMENT_SPANS = new ArgumentSpans(new Map());
/** Caches which parameters have header annotations, so that each tool definition is parsed only once. */
const spansByDefinition = new WeakMap<Buffer, ArgumentSpans>();

/** Returns the value of a parameter's header. `name` is the header name in the tool definition, in lower case. */
type ReadParameterHeader = (name: string) => string | undefined;

/**
 * Returns an error if a call's parameter headers contradict its arguments. An absent or null argument needs no header.
 * Tools with invalid header annotations are not checked, because clients ignore such tools.
 */
export function parameterProblem(
  line: Buffer,
  definition: Buffer,
  readHeader: ReadParameterHeader,
): RpcError | undefined {
  const headers = annotatedArgumentsOf(definition);
  if (headers === NO_ARGUMENT_SPANS) return undefined;
  for (const [name, span] of headers.findSpans(line)) {
    const json = line.toString('utf8', span.start, span.end);
    if (json === JSON_NULL || matchesHeader(stringAt(line, span), json, readHeader(name))) continue;
    const header = `Mcp-Param-${name}`;
    const message = `The header ${header} is missing, or differs from its argument`;
    return { code: ErrorCode.HeaderMismatch, message, data: { header } };
  }
  return undefined;
}

/** @param text the argument if it is a string; otherwise undefined, and `json` is compared */
function matchesHeader(text: string | undefined, json: string, header: string | undefined): boolean {
  if (text !== undefined || header === undefined) return header === text;
  if (header === json) return true;
  return INTEGER.test(header) && Number.isSafeInteger(Number(header)) && Number(header) === Number(json);
}

function annotatedArgumentsOf(definition: Buffer): ArgumentSpans {
  const cachedSpans = spansByDefinition.get(definition);
  if (cachedSpans !== undefined) return cachedSpans;
  const declaredHeaders = parameterHeaders(definition);
  const argumentSpans =
    'problem' in declaredHeaders || declaredHeaders.size === 0
      ? NO_ARGUMENT_SPANS
      : new ArgumentSpans(declaredHeaders);
  spansByDefinition.set(definition, argumentSpans);
  return argumentSpans;
}
