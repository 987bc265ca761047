import { waitAtMost, type Clock } from '../clock.js';
import type { Limits } from '../limits.js';
import type { Logger } from '../logger.js';
import { isCancellation, routeRequest } from '../routing/route-request.js';
import type { Connection } from '../upstream/connection.js';
import type { Implementation } from '../upstream/handshake.js';
import {
  ErrorCode,
  errorLine,
  NULL_ID,
  notificationLine,
  resultBytesLine,
  resultLine,
  type RpcError,
} from '../wire/json-rpc.js';
import type { ChannelEnd, ChannelHandler, LineChannel } from '../wire/line-channel.js';
import type { OversizedLine } from '../wire/line-framer.js';
import { readMessage, type Message } from '../wire/message.js';
import { paramsOf } from '../wire/params.js';
import { PendingTable } from '../wire/pending-table.js';
import { recoverRequestId } from '../wire/recover-id.js';
import { readId, type IdText } from '../wire/request-id.js';
import { CLIENT_PATHS } from './client-paths.js';
import type { CallOwner } from './forwarded-call.js';
import type { InFlightRequest } from './in-flight-request.js';
import { initializeResultJson } from './initialize-result.js';
import { nextSessionState, type SessionEvent, type SessionState } from './session-state.js';
import { ToolCaller, type ToolCallerComponents } from './tool-caller.js';

type Request = Extract<Message, { kind: 'request' }>;

/** What a {@link Session} works with. */
export interface SessionComponents extends ToolCallerComponents {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly limits: Limits;
  readonly serverInfo: Implementation;
  /** The current result of `tools/list`, JSON. */
  readonly toolList: () => Buffer;
}

/** How long the last answers may take to leave. */
const FLUSH_MS = 500;

/** One connected client: what it was promised and what it has in flight. Nothing is shared between sessions. */
export class Session implements ChannelHandler, CallOwner {
  /** Resolves when the session is over and nothing more will be sent. */
  readonly closed: Promise<void>;
  private state: SessionState = 'new';
  private readonly inFlight = new PendingTable<IdText, InFlightRequest>();
  private readonly held = new Set<Connection>();
  private readonly caller: ToolCaller;
  private resolveClosed: () => void = () => undefined;

  constructor(
    private readonly channel: LineChannel,
    private readonly components: SessionComponents,
  ) {
    this.closed = new Promise((resolve) => {
      this.resolveClosed = resolve;
    });
    this.caller = new ToolCaller(this, components);
  }

  open(): void {
    this.channel.open(this);
  }

  line(line: Buffer): void {
    const message = readMessage(line, CLIENT_PATHS);
    if (message.kind === 'malformed') return this.refuseMalformed(line, message);
    if (!isInitialize(message)) this.apply('spoke');
    if (message.kind === 'request') this.request(line, message);
    if (message.kind === 'notification') this.notification(line, message);
    // Responses: mcpmux has asked its clients nothing.
  }

  oversized({ length, head, tail }: OversizedLine): void {
    const { maxLineBytes } = this.components.limits;
    const message = `the message of ${length} bytes is above the limit of ${maxLineBytes} bytes`;
    const id = recoverRequestId(`${head.toString('utf8')} ${tail.toString('utf8')}`);
    const isFree = id !== undefined && !this.inFlight.has(id);
    this.refuse(isFree ? id : NULL_ID, { code: ErrorCode.InvalidRequest, message });
  }

  /** The lists have changed. Before it has spoken, a client has seen no list that could have. */
  toolsChanged(): void {
    if (this.state === 'live') this.channel.send(notificationLine('notifications/tools/list_changed'));
  }

  answer(id: IdText, line: () => Buffer): void {
    // Not in flight any more: it was cancelled, and the client does not expect an answer.
    if (this.inFlight.take(id) !== undefined) this.channel.send(line());
  }

  notify(id: IdText, line: () => Buffer): void {
    if (this.inFlight.has(id)) this.channel.send(line());
  }

  watchFlow(connection: Connection): void {
    if (!this.channel.saturated) return;
    connection.hold(this);
    this.held.add(connection);
    const { queuedBytes } = this.channel;
    if (queuedBytes <= this.components.limits.maxClientQueueBytes) return;
    this.components.logger.log('warn', 'dropped a client that does not read', { queuedBytes });
    this.close();
  }

  drained(): void {
    for (const connection of this.held) connection.release(this);
    this.held.clear();
  }

  ended({ reason }: ChannelEnd): void {
    this.apply('input-ended');
    if (reason === 'ended') void this.finish(this.components.limits.drainOnEndMs);
    else this.close();
  }

  /** Ends the session in order: requests in flight get `drainMs`, then an answer; what is queued is sent. */
  async finish(drainMs: number): Promise<void> {
    const { clock } = this.components;
    await waitAtMost(drainMs, this.inFlight.whenIdle(), clock);
    for (const request of this.inFlight.takeAll()) this.channel.send(request.expire());
    // A client that has stopped reading must not keep mcpmux from ending.
    await waitAtMost(FLUSH_MS, this.channel.end(), clock);
    this.close();
  }

  /** Ends the session at once. */
  close(): void {
    if (this.state === 'closed') return;
    this.apply('closed');
    for (const request of this.inFlight.takeAll()) request.abandon();
    this.drained();
    this.channel.destroy();
    this.resolveClosed();
  }

  private request(line: Buffer, message: Request): void {
    const read = readId(line, message.id);
    if ('problem' in read)
      return this.refuse(NULL_ID, { code: ErrorCode.InvalidRequest, message: read.problem });
    const { id } = read;
    if (!message.versioned) return this.refuse(id, invalid('"jsonrpc":"2.0" is missing'));
    if (this.inFlight.has(id))
      return this.refuse(id, invalid(`a request with id ${id} is already in flight`));
    switch (routeRequest(message.method)) {
      case 'initialize':
        return this.reply(
          id,
          initializeResultJson(paramsOf(line)['protocolVersion'], this.components.serverInfo),
        );
      case 'ping':
        return this.reply(id, '{}');
      case 'list-tools':
        return this.listTools(id, message);
      case 'call-tool':
        return this.callTool(id, line, message);
      case 'unknown-method':
        return this.refuse(id, {
          code: ErrorCode.MethodNotFound,
          message: `Unknown method ${JSON.stringify(message.method)}`,
        });
    }
  }

  private notification(line: Buffer, message: Extract<Message, { kind: 'notification' }>): void {
    const requestId = message.params.get('requestId');
    if (!isCancellation(message.method) || requestId === undefined) return;
    const read = readId(line, requestId);
    if ('id' in read) this.inFlight.take(read.id)?.cancel({ line, requestId });
  }

  private listTools(id: IdText, { params }: Request): void {
    if (params.has('cursor')) {
      return this.refuse(id, {
        code: ErrorCode.InvalidParams,
        message: 'Unknown cursor: all tools are on one page',
      });
    }
    this.channel.send(resultBytesLine(id, this.components.toolList()));
  }

  private callTool(id: IdText, line: Buffer, message: Request): void {
    const outcome = this.caller.call(id, line, message.params, message.id);
    if ('inFlight' in outcome) this.inFlight.add(id, outcome.inFlight);
    else this.channel.send(outcome.answer);
  }

  private reply(id: IdText, resultJson: string): void {
    this.channel.send(resultLine(id, resultJson));
  }

  private refuse(id: IdText, error: RpcError): void {
    this.channel.send(errorLine(id, error));
  }

  private refuseMalformed(line: Buffer, message: Extract<Message, { kind: 'malformed' }>): void {
    const read = message.id === undefined ? undefined : readId(line, message.id);
    const id = read !== undefined && 'id' in read ? read.id : NULL_ID;
    if (message.isJson) return this.refuse(id, invalid(message.problem));
    this.refuse(NULL_ID, { code: ErrorCode.ParseError, message: `Not JSON: ${message.problem}` });
  }

  private apply(event: SessionEvent): void {
    this.state = nextSessionState(this.state, event);
  }
}

/** Until the client has gone on from there, it expects no notification (lifecycle of the 2025-11-25 revision). */
function isInitialize(message: Message): boolean {
  return message.kind === 'request' && message.method === 'initialize';
}

function invalid(message: string): RpcError {
  return { code: ErrorCode.InvalidRequest, message };
}
