import { LISTEN, quote, type Kit } from '@mcpmux/kit';
import { ErrorCode, errorLine, paramText, type RawId, splice, valuePaths, valueSpans } from '@mcpmux/wire';

import type { ServerRequestEvent, Asker } from '../asks/asker.js';
import { CALL_TOOL } from '../caller/call-tool.js';
import type { Caller, RequestOrigin } from '../caller/caller.js';
import { GONE, type AbortReason } from '../request/exchange.js';
import type { Primaries } from '../caller/primaries.js';
import type { RequestDialect } from '../methods/client-dialect.js';
import type { Listeners } from '../methods/listeners.js';
import type { ExchangeTable, IncomingRequest, RequestHead } from '../request/incoming-request.js';
import type { GuardList } from '../../guards/guard-list.js';
import type { Connection } from '../../server/link/connection.js';
import { isRunByOtherNode } from '../../server/client-task-id.js';
import type { ClientProfile } from '../../server/dialect/client-profile.js';
import type { Implementation } from '../../server/dialect/server-identity.js';
import { modernDialect, MODERN_METHODS, REMOVED_METHODS } from './client-dialect.js';
import { ClientRoots } from './client-roots.js';
import { EnvelopeReader, VERSION_PATH, type Envelope } from './envelope.js';
import { INPUT_METHODS } from './input.js';
import { LegacyTasks } from './legacy-tasks.js';
import { removalEdits } from '../../server/link/members.js';
import { groupOf, ModernRequest } from './modern-request.js';
import type { ModernParts } from './modern-parts.js';
import { ModernPrimaries } from './modern-primaries.js';
import { OwnAnswerCompleter } from './own-answers.js';
import { ParkingLot } from './parking-lot.js';
import { readSubject } from './read-subject.js';
import { StateSeal } from './request-state.js';
import { UrlWaits } from './url-waits.js';

const META_PATHS = valuePaths([['params', '_meta']]);
const REQUEST_ID_PATHS = valuePaths([['params', 'requestId']]);

/** The dependencies of {@link ModernRequests}. */
export interface ModernRequestsInit extends Kit {
  readonly guards: Pick<GuardList, 'hasHandlers' | 'noteClient'>;
  readonly primaries: Primaries;
  readonly serverInfo: Implementation;
  readonly listeners: Listeners;
  /** The key that seals the states of parked requests. When absent, this mux uses a random key. */
  readonly stateKey?: Uint8Array | undefined;
}

/** Opens, resumes and refuses the modern requests of one mux, across all its sessions. */
export class ModernRequests {
  readonly dialect: RequestDialect;
  /** The methods whose requests stay open until the session ends. */
  readonly longLivedMethods: ReadonlySet<string> = new Set([LISTEN]);
  private readonly envelopeReader: EnvelopeReader;
  private readonly parts: ModernParts;

  constructor({
    clock,
    logger,
    limits,
    guards,
    primaries,
    serverInfo,
    listeners,
    stateKey,
  }: ModernRequestsInit) {
    this.dialect = modernDialect(serverInfo);
    this.envelopeReader = new EnvelopeReader((name) => guards.noteClient(name));
    this.parts = {
      clock,
      guards,
      lot: new ParkingLot({ clock, limits }, new StateSeal(stateKey)),
      roots: new ClientRoots(clock),
      primaries: new ModernPrimaries(primaries, logger),
      urlWaits: new UrlWaits(clock),
      completer: new OwnAnswerCompleter(serverInfo),
      listeners,
      legacyTasks: new LegacyTasks(),
    };
  }

  get parkedCount(): number {
    return this.parts.lot.size;
  }

  /** True if a message describes its client, or has a method that counts as modern even without a description. */
  isModern({ method, params }: RequestHead): boolean {
    return params.has(VERSION_PATH) || MODERN_METHODS.has(method);
  }

  /** Returns the profile of the client that sends a session's requests; undefined before its first request. */
  profileOf(caller: Caller): ClientProfile | undefined {
    return this.parts.primaries.profileOf(caller);
  }

  /** Starts, resumes or refuses a request for which {@link isModern} is true. */
  open(host: ExchangeTable, incoming: IncomingRequest): void {
    const { id, line, request } = incoming;
    const { method, params } = request;
    const envelope = this.envelopeReader.read(line, params);
    if ('error' in envelope) return host.onAnswer(id, errorLine(id, envelope.error), undefined);
    if (REMOVED_METHODS.has(method)) {
      const message = `The revision that this request names has no method ${quote(method)}`;
      return refuse(host, id, ErrorCode.MethodNotFound, message);
    }
    const { caller } = host;
    if (envelope.logLevel !== undefined) caller.addRequestLogLevel(envelope.logLevel);
    this.parts.primaries.recordClient(caller, envelope.profile);
    const state = paramText(line, request, 'requestState');
    if (state !== undefined && INPUT_METHODS.has(method))
      return this.openRetry(host, incoming, envelope, state);
    host.begin(new ModernRequest(host, incoming, envelope, this.parts).exchange);
  }

  /** Returns the abort reason for a cancellation notification. Its line is forwarded without the client's `_meta`. */
  cancellationReason(line: Buffer): AbortReason {
    const metaSpans = valueSpans(line, { start: 0, end: line.length }, META_PATHS).map(({ span }) => span);
    const bareLine = splice(line, removalEdits(line, metaSpans)).subarray(0, -1);
    const [requestId] = valueSpans(bareLine, { start: 0, end: bareLine.length }, REQUEST_ID_PATHS);
    return requestId === undefined ? GONE : { kind: 'cancelled', line: bareLine, requestId: requestId.span };
  }

  /** Answers or queues a server's `roots/list` that belongs to no client request. Returns false if it does neither. */
  deferRequest({ connection, upstream, message }: ServerRequestEvent, id: RawId): boolean {
    const { roots, primaries } = this.parts;
    if (message.method !== 'roots/list' || !primaries.hasRoots(upstream)) return false;
    roots.answerOrQueue(connection, id);
    return true;
  }

  /** Returns the asker for a server's questions about a modern client's task. */
  taskAsker(connection: Connection, taskId: string): Asker | undefined {
    return this.parts.legacyTasks.get(connection, taskId)?.questions;
  }

  /** Drops a client's cached roots after the client has reported a change. */
  forgetRoots(client: Caller): void {
    this.parts.roots.forget(groupOf(client));
  }

  /** Ends the wait for a URL elicitation that its server has reported as complete. */
  endElicitation(connection: Connection, id: string): void {
    this.parts.urlWaits.endElicitation(connection, id);
  }

  /** Drops a disconnected client's profile and expires its parked requests. */
  forgetClient(client: Caller): void {
    this.parts.primaries.forget(client);
    const group = groupOf(client);
    if (typeof group === 'object') this.parts.lot.expireGroup(group);
  }

  /** Ends all waits for clients when the mux closes. */
  close(): void {
    this.parts.lot.expireAll();
    this.parts.roots.close();
  }

  /**
   * Forwards a retry if its server or another cluster node may have issued the state. Otherwise, resumes the parked
   * request or refuses the retry.
   */
  private openRetry(host: ExchangeTable, incoming: IncomingRequest, envelope: Envelope, state: string): void {
    const { id, line, request } = incoming;
    const name = paramText(line, request, 'name');
    // `call_tool` is excluded, because its inner tool may belong to a server.
    const namesOwnTool =
      name !== undefined && name !== CALL_TOOL && host.caller.view.directory.isOwnTool(name);
    const { lot } = this.parts;
    const issuer = lot.issuerOf(state);
    const isForeign = issuer === undefined || (issuer === 'another mux' && isForNode(host.caller, line));
    const retry = new ModernRequest(host, incoming, envelope, this.parts);
    if (isForeign && !namesOwnTool) return host.begin(retry.exchange);
    const parkedRequest = lot.take(state, retry);
    if (!('reason' in parkedRequest)) return parkedRequest.resume(host, incoming, envelope);
    refuseState(host, id, parkedRequest.reason);
  }
}

/** True if a request is for a server that another cluster node runs. The request may be parked on that node. */
function isForNode({ view }: RequestOrigin, line: Buffer): boolean {
  const { upstream } = readSubject(line, view).subject;
  return upstream !== undefined && isRunByOtherNode(upstream);
}

/** Returns the error that refuses an invalid or expired state. */
export function invalidStateError(reason: string) {
  const message =
    `Invalid or expired requestState: ${reason}. ` +
    'Send the request without it to begin anew; what it did so far may have had effects.';
  return { code: ErrorCode.InvalidParams, message, data: { reason } };
}

function refuseState(host: ExchangeTable, id: RawId, reason: string): void {
  host.onAnswer(id, errorLine(id, invalidStateError(reason)), undefined);
}

function refuse(host: ExchangeTable, id: RawId, code: ErrorCode, message: string): void {
  host.onAnswer(id, errorLine(id, { code, message }), undefined);
}
