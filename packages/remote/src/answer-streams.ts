import type { IncomingMessage } from 'node:http';

import type { Clock, Timer } from '@mcpmux/kit';
import { RenewedSet } from '@mcpmux/wire';
import { toRemoteError } from './describe-problem.js';
import { AnsweredResponse, AnsweredResponses } from './answered-response.js';
import { EventStream } from './event-stream.js';
import type { LineParts } from './line-parts.js';
import { messageLine } from './message-line.js';
import { RemoteError } from './remote-error.js';
import type { RemoteTransportEvents } from './remote-transport.js';
import { readBody, type Flow } from './response-body.js';
import type { Sending } from './sending.js';

/** An event stream: one response, or several successive responses. */
export interface AnswerStream {
  /** The id of the request to which the stream belongs. Undefined for the session's own stream. */
  readonly id?: number | undefined;
  readonly sending: Sending;
}

/** The dependencies of {@link AnswerStreams}. */
export interface AnswerStreamsInit {
  /** The URL without secrets, for error messages. */
  readonly redactedUrl: string;
  readonly clock: Clock;
  readonly flow: Flow;
  readonly maxMessageBytes: number;
  readonly events: RemoteTransportEvents;
}

/** Requests a stream or, after a disconnect, the rest of it after the event with this id. */
type GetStream = (lastEventId: string | undefined, sending: Sending) => Promise<IncomingMessage>;

/** The maximum number of attempts to reopen a broken stream. Together, they take about seven minutes. */
const MAX_REOPEN_ATTEMPTS = 20;
const FIRST_DELAY_MS = 1000;
const DELAY_GROWTH = 1.5;
const MAX_DELAY_MS = 30_000;
/**
 * A stream that lasts at least this long, in milliseconds, does not count as failed, even if it carried no messages.
 */
const MIN_USEFUL_MS = MAX_DELAY_MS;
/** The minimum delay in milliseconds. It prevents a busy loop if a server requests immediate reconnects. */
const MIN_DELAY_MS = 200;

/** One session's event streams. Resumes a broken stream after the last received event. */
export class AnswerStreams {
  /** The reconnect delay that the server has requested. */
  private retryMs: number | undefined;
  private readonly delayTimers = new Set<Timer>();
  private readonly openStreams = new RenewedSet<AnswerStream>();
  private readonly answeredResponses: AnsweredResponses;
  private isClosed = false;

  /** @param get requests a stream; absent if streams cannot be resumed */
  constructor(
    private readonly init: AnswerStreamsInit,
    private readonly get?: GetStream,
  ) {
    this.answeredResponses = new AnsweredResponses(init.clock);
  }

  /** Opens the session's own stream, which a server may not support. */
  async listen(sending: Sending): Promise<void> {
    const stream = { sending };
    const response = await this.requestStream(stream, undefined);
    if (typeof response === 'object') await this.deliverEvents(stream, response);
  }

  /** Delivers a stream's events until the stream ends. Never rejects. */
  async deliverEvents(stream: AnswerStream, first: IncomingMessage): Promise<void> {
    this.openStreams.add(stream);
    const failure = await this.readStream(stream, first);
    this.openStreams.delete(stream);
    if (stream.id !== undefined && !this.isClosed) this.init.events.onEnded(stream.id, failure);
  }

  /** Aborts all streams and does not reopen any. */
  close(): void {
    this.isClosed = true;
    for (const { sending } of this.openStreams) sending.abort();
    for (const timer of this.delayTimers) timer.cancel();
    this.delayTimers.clear();
  }

  private async readStream(stream: AnswerStream, first: IncomingMessage): Promise<RemoteError | undefined> {
    const position = new StreamPosition();
    let response: IncomingMessage | 'none' | 'failed' = first;
    // The number of consecutive streams without messages. Some servers end each stream immediately.
    let uselessStreams = 0;
    for (let failures = 0; response !== 'none';) {
      if (typeof response === 'object') {
        failures = 0;
        const [before, since] = [position.messageCount, this.init.clock.now()];
        const failure = await this.readResponse(stream, response, position);
        const isUseless = position.messageCount === before && this.init.clock.now() - since < MIN_USEFUL_MS;
        uselessStreams = isUseless ? uselessStreams + 1 : 0;
        // The stream is not resumed, because the server would only send the same event again.
        if (failure instanceof RemoteError && stream.id !== undefined) return failure;
      }
      if (!(await this.shouldReopen(stream, position))) break;
      if (failures === MAX_REOPEN_ATTEMPTS) {
        this.init.events.reportProblem(
          new Error(`a stream was not opened again in ${MAX_REOPEN_ATTEMPTS} attempts`),
        );
        break;
      }
      await this.waitBeforeReopening(Math.max(failures, uselessStreams - 1));
      failures += 1;
      response = (await this.shouldReopen(stream, position))
        ? await this.requestStream(stream, position.lastEventId)
        : 'none';
    }
    return undefined;
  }

  /** Reads one response. Never rejects. Resolves to the error that interrupted the response, if any. */
  private async readResponse(
    answerStream: AnswerStream,
    response: IncomingMessage,
    position: StreamPosition,
  ): Promise<unknown> {
    const { events, flow, maxMessageBytes } = this.init;
    const answeredResponse = new AnsweredResponse(response, () => this.isAnswered(answerStream), {
      flow,
      all: this.answeredResponses,
    });
    const sink = {
      event: (data: LineParts, type: string): void => {
        const line = type === '' || type === 'message' ? messageLine(data) : undefined;
        if (line !== undefined) {
          position.messageCount += 1;
          events.line(line);
        }
        answeredResponse.checkAnswer();
      },
      id: (id: string) => position.moveTo(id),
      retry: (delayMs: number) => void (this.retryMs = delayMs),
    };
    const stream = new EventStream(sink, maxMessageBytes);
    try {
      await readBody(response, flow, (chunk) => stream.push(chunk));
      return undefined;
    } catch (error) {
      if (answeredResponse.isDestroyed) return undefined;
      if (error instanceof RemoteError) position.moveTo('');
      if (!this.isClosed) events.reportProblem(error);
      return error;
    } finally {
      answeredResponse.markEnded();
    }
  }

  private isAnswered({ id }: AnswerStream): boolean {
    return id !== undefined && !this.init.events.isAwaited(id);
  }

  /** True if the stream should be requested again. */
  private async shouldReopen({ id, sending }: AnswerStream, position: StreamPosition): Promise<boolean> {
    const { flow, events } = this.init;
    if (this.get === undefined || (id !== undefined && !position.isResumable)) return false;
    await flow.whenDelivered();
    if (this.isClosed || sending.isAborted) return false;
    return id === undefined || events.isAwaited(id);
  }

  private async requestStream(
    { sending }: AnswerStream,
    lastEventId: string | undefined,
  ): Promise<IncomingMessage | 'none' | 'failed'> {
    const { redactedUrl, events } = this.init;
    try {
      const response = await this.get?.(lastEventId, sending);
      if (response === undefined || !isEventStream(response)) {
        response?.destroy();
        return 'none';
      }
      events.onListenOutcome('open');
      return response;
    } catch (error) {
      if (this.isClosed || sending.isAborted) return 'none';
      const problem = toRemoteError(redactedUrl, error);
      events.reportProblem(problem);
      events.onListenOutcome({ problem });
      return 'failed';
    }
  }

  private waitBeforeReopening(failures: number): Promise<void> {
    const delayMs = this.retryMs ?? Math.min(FIRST_DELAY_MS * DELAY_GROWTH ** failures, MAX_DELAY_MS);
    return new Promise((resolve) => {
      if (this.isClosed) return resolve();
      const timer = this.init.clock.schedule(
        () => {
          this.delayTimers.delete(timer);
          resolve();
        },
        Math.max(delayMs, MIN_DELAY_MS),
      );
      this.delayTimers.add(timer);
    });
  }
}

/** Tracks how much of a stream has been received. */
class StreamPosition {
  lastEventId: string | undefined;
  /** The number of messages received so far. */
  messageCount = 0;
  /** True if the server has sent an event id from which it can resume the stream. */
  isResumable = false;

  /** @param id the id of the last event; an empty id resets the position, as the standard defines */
  moveTo(id: string): void {
    this.lastEventId = id === '' ? undefined : id;
    if (id !== '') this.isResumable = true;
  }
}

/** True if a response's body is an event stream. */
export function isEventStream({ headers }: IncomingMessage): boolean {
  return /^text\/event-stream\b/i.test(headers['content-type'] ?? '');
}
