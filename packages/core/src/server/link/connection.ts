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
import type { OwnResult, RunLink, ServerDialect, LongRequestEndHandler } from '../dialect/server-dialect.js';
import { printableLine } from '../../process/stderr-lines.js';
import { Calls, type ConnectionComponents } from './calls.js';
import {
  DamagedLines,
  MAX_PRINTED_LENGTH,
  MAX_TEXT_BYTES,
  type DamagedLineHandler,
  type ServerMessage,
} from './damaged-lines.js';
import { FloodFilter } from './flood-filter.js';
import { Deviations, repairedResponse } from './sound-response.js';
import type { ServerNotification, ServerResponse } from './pending-call.js';
import type { CallFailure } from './run-failure.js';
import { SERVER_MESSAGE_PATHS } from './server-paths.js';
import { ServerRequests, type ConnectionInbox } from './server-requests.js';

const QUOTE = 0x22;
/** The first byte of `null`. */
const LOWER_N = 0x6e;

/** The receivers of a connection's events. */
export interface ConnectionEvents {
  readonly inbox: ConnectionInbox;
  onEnd(end: ChannelEnd): void;
  /** Called with a line that is not an MCP message. Its secrets and control characters have been removed. */
  onStrayLine(line: string): void;
}

/** mcpmux's end of one run's channel. Passes each line from the server to its receiver, in order of arrival. */
export class Connection implements ChannelHandler, DamagedLineHandler, RunLink {
  /** The number of lines from the server that were dropped, because they were invalid or had no receiver. */
  droppedLineCount = 0;
  /** The deviations from the protocol that mcpmux has repaired. */
  readonly deviations = new Deviations();
  /** The number of readable messages received from the server. */
  messageCount = 0;
  /** The requests to the server. */
  readonly calls: Calls;
  /** The requests from the server. */
  readonly requests: ServerRequests;
  private readonly messageReader = new MessageReader(SERVER_MESSAGE_PATHS);
  private readonly damagedLines: DamagedLines;
  private readonly floodFilter: FloodFilter;

  constructor(
    private readonly channel: Channel,
    private readonly events: ConnectionEvents,
    private readonly components: ConnectionComponents,
  ) {
    this.calls = new Calls(channel, components);
    this.requests = new ServerRequests(channel, events.inbox, components.dialect);
    this.damagedLines = new DamagedLines(this, components.limits.maxLineBytes);
    this.floodFilter = new FloodFilter(components);
  }

  /** The key of the client sandbox that confines the server's process; undefined if none does. */
  get sandboxKey(): string | undefined {
    return this.components.within;
  }

  /** The number of notifications that were dropped because the server sent too many. */
  get droppedNotificationCount(): number {
    return this.floodFilter.droppedCount;
  }

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

  openLongRequest(method: string, params: unknown, ended: LongRequestEndHandler): number {
    return this.calls.openLongRequest(method, params, ended);
  }

  withdraw(id: number): void {
    this.calls.abandon(id, 'not needed any more');
  }

  deliver(line: Buffer): void {
    this.line(line);
  }

  /** Sends one of mcpmux's own requests. Rejects with OwnRequestError if the request fails. */
  request(method: string, params: unknown, timeoutMs: number): Promise<OwnResult> {
    return this.calls.request(method, params, timeoutMs);
  }

  notify(method: string, params?: unknown): void {
    this.channel.send(notificationLine(method, params));
  }

  /** Sends a line unchanged, such as a client's notification or the refusal of a server request. */
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
    if (line !== borrowed) this.deviations.record('not-utf8');
    const message = this.messageReader.read(line);
    if (message.kind === 'malformed') this.damagedLines.readLine(line, message, isLast);
    else this.handleMessage(line, message);
  }

  oversized(line: OversizedLine, isLast = false): void {
    this.damagedLines.readOversizedLine(line, isLast);
  }

  ended(end: ChannelEnd): void {
    this.events.onEnd(end);
  }

  drained(): void {
    // Not needed: while the queue is full, new calls fail as busy, so no caller waits for the queue to drain.
  }

  handleMessage(line: BorrowedLine, message: ServerMessage): void {
    this.messageCount += 1;
    switch (message.kind) {
      case 'response':
        return this.handleResponse(line, message);
      case 'notification':
        return this.handleNotification(line, message);
      case 'request': {
        const problem = this.requests.forwardOrAnswer(toOwned(line), message);
        if (problem !== undefined) this.dropLine(problem);
      }
    }
  }

  private handleResponse(from: BorrowedLine, message: ServerResponse): void {
    const { calls, deviations } = this;
    const needsRepair = !message.versioned || (message.result !== undefined && message.error !== undefined);
    const { line, response } = needsRepair
      ? repairedResponse(from, message, deviations)
      : { line: from, response: message };
    const { id, error } = response;
    if (calls.passResponse(line, response)) {
      if (line[id.start] === QUOTE) deviations.record('text-id');
      return;
    }
    if (error !== undefined && line[id.start] === LOWER_N) return this.handleErrorWithoutId(line, response);
    this.dropLine('a response to no pending request');
    if (!calls.hasIssued(line, id))
      this.reportStrayLine(`a response with an id that no request has: ${this.printableAt(line, id)}`);
  }

  /**
   * Handles an error response without an id, which a server sends if it could not read a request's id. If exactly one
   * request is in flight, its caller receives the error. Otherwise, mcpmux reports the error as a stray line.
   */
  private handleErrorWithoutId(line: BorrowedLine, response: ServerResponse): void {
    this.deviations.record('no-id');
    if (this.calls.passResponseWithoutId(line, response)) return;
    this.dropLine('an error without an id');
    this.reportStrayLine(`an error without an id: ${this.printableAt(line, response.error ?? response.id)}`);
  }

  dropLine(problem: string, start?: string): void {
    this.droppedLineCount += 1;
    const { logger, server } = this.components;
    if (!logger.enabled('debug')) return;
    logger.log('debug', 'dropped a line of a server', { server, problem, start: start?.slice(0, 200) });
  }

  reportStrayLine(line: string): void {
    this.events.onStrayLine(line);
  }

  printableStart(start: string, length: number, isWhole: boolean): string {
    const { mask } = this.components;
    return printableLine(shownStart(mask, start, length, isWhole), mask);
  }

  private printableAt(line: BorrowedLine, { start, end }: Span): string {
    const text = line.toString('utf8', start, Math.min(end, start + MAX_TEXT_BYTES));
    return this.printableStart(text, MAX_PRINTED_LENGTH, end - start <= MAX_TEXT_BYTES);
  }

  private handleNotification(borrowed: BorrowedLine, message: ServerNotification): void {
    if (!this.floodFilter.admits(message.method)) return;
    const line = toOwned(borrowed);
    const { params } = message;
    switch (message.method) {
      case 'notifications/progress':
        if (!this.calls.passProgress(line, params.get('progressToken')))
          this.dropLine('progress for no pending request');
        return;
      case this.dialect.withdrawalMethod:
        return this.requests.withdraw(line, params.get('requestId'));
      default:
        return this.forwardNotification(line, message);
    }
  }

  private forwardNotification(line: OwnedLine, message: ServerNotification): void {
    const { dialect, events } = this;
    const forwardedLine =
      dialect.onNotification === undefined ? line : dialect.onNotification(line, message.method);
    if (forwardedLine === line) return events.inbox.onNotification(line, message);
    if (forwardedLine === undefined) return;
    const forwardedMessage = this.messageReader.read(forwardedLine);
    if (forwardedMessage.kind === 'notification')
      events.inbox.onNotification(forwardedLine, forwardedMessage);
  }
}
