import { shownStart } from '@mcpmux/kit';
import {
  asUtf8,
  type BorrowedLine,
  type Channel,
  type ChannelEnd,
  type ChannelHandler,
  MessageReader,
  notificationLine,
  type OutgoingLine,
  type OversizedLine,
  type OwnedLine,
  type Span,
  toOwned,
} from '@mcpmux/wire';
import type { OwnResult, RunLink, ServerDialect, LongRequestEnd } from '../dialect/server-dialect.js';
import { shownLine } from '../../process/stderr-lines.js';
import { Calls, type ConnectionComponents } from './calls.js';
import {
  DamagedLines,
  MAX_SHOWN,
  TEXT_BYTES,
  type DamagedLineHandler,
  type ServerMessage,
} from './damaged-lines.js';
import { FloodFilter } from './flood-filter.js';
import { Deviations, soundResponse } from './sound-response.js';
import type { ServerNotification, ServerResponse } from './pending-call.js';
import type { CallFailure } from './run-failure.js';
import { SERVER_PATHS } from './server-paths.js';
import { ServerRequests, type ConnectionInbox } from './server-requests.js';

const QUOTE = 0x22;
/** The first byte of `null`. */
const LOWER_N = 0x6e;

/** The receivers of a connection's events. */
export interface ConnectionEvents {
  readonly inbox: ConnectionInbox;
  ended(end: ChannelEnd): void;
  /** Called with a line that is not an MCP message, as text without secrets and control characters. */
  stray(line: string): void;
}

/** The client side of one run's pipe. Passes each line of the server to its receiver, in the order of arrival. */
export class Connection implements ChannelHandler, DamagedLineHandler, RunLink {
  /** The number of dropped lines of the server. They were invalid or had no receiver. */
  dropped = 0;
  /** The deviations from the protocol that mcpmux has repaired. */
  readonly deviations = new Deviations();
  /** The number of messages that the server has sent. */
  messageCount = 0;
  /** The requests to the server. */
  readonly calls: Calls;
  /** The requests from the server. */
  readonly requests: ServerRequests;
  private readonly messages = new MessageReader(SERVER_PATHS);
  private readonly damaged: DamagedLines;
  private readonly flood: FloodFilter;

  constructor(
    private readonly channel: Channel,
    private readonly events: ConnectionEvents,
    private readonly components: ConnectionComponents,
  ) {
    this.calls = new Calls(channel, components);
    this.requests = new ServerRequests(channel, events.inbox, components.dialect);
    this.damaged = new DamagedLines(this, components.limits.maxLineBytes);
    this.flood = new FloodFilter(components);
  }

  /** The key of the client's sandbox in which the process runs; undefined for a server that follows none. */
  get within(): string | undefined {
    return this.components.within;
  }

  /** The number of notifications that were dropped because the server sent too many. */
  get droppedNotifications(): number {
    return this.flood.dropped;
  }

  /** The dialect of the server. */
  get dialect(): ServerDialect {
    return this.calls.dialect;
  }

  open(): void {
    this.channel.open(this);
  }

  useDialect(dialect: ServerDialect): void {
    this.calls.dialect = dialect;
    this.requests.dialect = dialect;
  }

  openLongRequest(method: string, params: unknown, ended: LongRequestEnd): number {
    return this.calls.openLongRequest(method, params, ended);
  }

  withdraw(id: number): void {
    this.calls.abandon(id, 'not needed any more');
  }

  deliver(line: Buffer): void {
    this.line(line);
  }

  /** Sends a request of mcpmux itself. Rejects with OwnRequestError. */
  request(method: string, params: unknown, timeoutMs: number): Promise<OwnResult> {
    return this.calls.request(method, params, timeoutMs);
  }

  notify(method: string, params?: unknown): void {
    this.channel.send(notificationLine(method, params));
  }

  /** Sends a line unchanged: a client's notification, or a refusal. */
  send(line: OutgoingLine): void {
    this.channel.send(line);
  }

  /** Fails all open requests with the reason why the run has ended. */
  failAll(failure: CallFailure): void {
    this.calls.failAll(failure);
    this.requests.abandonAll();
  }

  line(borrowed: BorrowedLine, isLast = false): void {
    const line = asUtf8(borrowed);
    if (line !== borrowed) this.deviations.note('not-utf8');
    const message = this.messages.read(line);
    if (message.kind === 'malformed') this.damaged.line(line, message, isLast);
    else this.take(line, message);
  }

  oversized(line: OversizedLine, isLast = false): void {
    this.damaged.oversized(line, isLast);
  }

  ended(end: ChannelEnd): void {
    this.events.ended(end);
  }

  drained(): void {
    // A full queue refuses calls as busy, so no caller waits for this event.
  }

  take(line: BorrowedLine, message: ServerMessage): void {
    this.messageCount += 1;
    switch (message.kind) {
      case 'response':
        return this.responded(line, message);
      case 'notification':
        return this.notified(line, message);
      case 'request': {
        const problem = this.requests.take(toOwned(line), message);
        if (problem !== undefined) this.drop(problem);
      }
    }
  }

  private responded(from: BorrowedLine, message: ServerResponse): void {
    const { calls, deviations } = this;
    const isOdd = !message.versioned || (message.result !== undefined && message.error !== undefined);
    const { line, response } = isOdd
      ? soundResponse(from, message, deviations)
      : { line: from, response: message };
    const { id, error } = response;
    if (calls.settle(line, response)) {
      if (line[id.start] === QUOTE) deviations.note('text-id');
      return;
    }
    if (error !== undefined && line[id.start] === LOWER_N) return this.failedWithoutId(line, response);
    this.drop('a response to no pending request');
    if (!calls.hasIssued(line, id))
      this.stray(`a response with an id that no request has: ${this.shownAt(line, id)}`);
  }

  /**
   * Handles an error without an id, from a server that could not read the id of a request. The error answers the only
   * request in flight. Otherwise, mcpmux reports it as text.
   */
  private failedWithoutId(line: BorrowedLine, response: ServerResponse): void {
    this.deviations.note('no-id');
    if (this.calls.settleOnly(line, response)) return;
    this.drop('an error without an id');
    this.stray(`an error without an id: ${this.shownAt(line, response.error ?? response.id)}`);
  }

  drop(problem: string, start?: string): void {
    this.dropped += 1;
    const { logger, server } = this.components;
    if (!logger.enabled('debug')) return;
    logger.log('debug', 'dropped a line of a server', { server, problem, start: start?.slice(0, 200) });
  }

  stray(line: string): void {
    this.events.stray(line);
  }

  shown(start: string, length: number, isWhole: boolean): string {
    const { mask } = this.components;
    return shownLine(shownStart(mask, start, length, isWhole), mask);
  }

  private shownAt(line: BorrowedLine, { start, end }: Span): string {
    const text = line.toString('utf8', start, Math.min(end, start + TEXT_BYTES));
    return this.shown(text, MAX_SHOWN, end - start <= TEXT_BYTES);
  }

  private notified(borrowed: BorrowedLine, message: ServerNotification): void {
    if (!this.flood.admits(message.method)) return;
    const line = toOwned(borrowed);
    const { params } = message;
    switch (message.method) {
      case 'notifications/progress':
        if (!this.calls.progress(line, params.get('progressToken')))
          this.drop('progress for no pending request');
        return;
      case this.dialect.withdrawal:
        return this.requests.withdraw(line, params.get('requestId'));
      default:
        return this.forward(line, message);
    }
  }

  private forward(line: OwnedLine, message: ServerNotification): void {
    const { dialect, events } = this;
    const forwarded = dialect.notified === undefined ? line : dialect.notified(line, message.method);
    if (forwarded === line) return events.inbox.notification(line, message);
    if (forwarded === undefined) return;
    const read = this.messages.read(forwarded);
    if (read.kind === 'notification') events.inbox.notification(forwarded, read);
  }
}
