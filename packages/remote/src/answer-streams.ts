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

/** An event stream over one response, or over several responses that continue each other. */
export interface AnswerStream {
  /** The request that the stream belongs to. Undefined for the stream of the session. */
  readonly id?: number | undefined;
  readonly sending: Sending;
}

/** The dependencies of {@link AnswerStreams}. */
export interface AnswerStreamsInit {
  /** The URL without secrets, for messages. */
  readonly where: string;
  readonly clock: Clock;
  readonly flow: Flow;
  readonly maxMessageBytes: number;
  readonly events: RemoteTransportEvents;
  /** Requests a stream, or the rest of a stream after the event with this id. Absent if streams are not continued. */
  readonly get?: (lastEventId: string | undefined, sending: Sending) => Promise<IncomingMessage>;
}

/** The maximum number of attempts to reopen a broken stream, which take about eight minutes. */
const MAX_REOPENINGS = 20;
const FIRST_DELAY_MS = 1000;
const DELAY_GROWTH = 1.5;
const MAX_DELAY_MS = 30_000;
/** A stream that lasts this long is useful even if it contains no messages. */
const LASTING_MS = MAX_DELAY_MS;
/** The minimum delay. A server may request an immediate reconnect, which must not become a loop. */
const MIN_DELAY_MS = 200;

/** The streams of one session. They are read event by event, and reopened where they broke off. */
export class AnswerStreams {
  /** The reconnect delay that the server has requested. */
  private retryMs: number | undefined;
  private readonly timers = new Set<Timer>();
  private readonly open = new RenewedSet<AnswerStream>();
  private readonly answered: AnsweredResponses;
  private isClosed = false;

  constructor(private readonly init: AnswerStreamsInit) {
    this.answered = new AnsweredResponses(init.clock);
  }

  /** Opens the stream of the session. A server may have none. */
  async listen(sending: Sending): Promise<void> {
    const stream = { sending };
    const response = await this.request(stream, undefined);
    if (typeof response === 'object') await this.follow(stream, response);
  }

  /** Delivers the events of a stream to its end. Never rejects. */
  async follow(stream: AnswerStream, first: IncomingMessage): Promise<void> {
    this.open.add(stream);
    const why = await this.readOn(stream, first);
    this.open.delete(stream);
    if (stream.id !== undefined && !this.isClosed) this.init.events.ended(stream.id, why);
  }

  /** Aborts all streams, and stops reopening them. */
  close(): void {
    this.isClosed = true;
    for (const { sending } of this.open) sending.abort();
    for (const timer of this.timers) timer.cancel();
    this.timers.clear();
  }

  private async readOn(stream: AnswerStream, first: IncomingMessage): Promise<RemoteError | undefined> {
    const place = new StreamPlace();
    let response: IncomingMessage | 'none' | 'failed' = first;
    // The number of consecutive streams without messages, because some servers end each stream at once.
    let vain = 0;
    for (let failures = 0; response !== 'none';) {
      if (typeof response === 'object') {
        failures = 0;
        const [before, since] = [place.messages, this.init.clock.now()];
        const why = await this.read(stream, response, place);
        const isVain = place.messages === before && this.init.clock.now() - since < LASTING_MS;
        vain = isVain ? vain + 1 : 0;
        // The server would send the same event again.
        if (why instanceof RemoteError && stream.id !== undefined) return why;
      }
      if (!(await this.isWanted(stream, place))) break;
      if (failures === MAX_REOPENINGS) {
        this.init.events.trouble(new Error(`a stream was not opened again in ${MAX_REOPENINGS} attempts`));
        break;
      }
      await this.delay(Math.max(failures, vain - 1));
      failures += 1;
      response = (await this.isWanted(stream, place))
        ? await this.request(stream, place.lastEventId)
        : 'none';
    }
    return undefined;
  }

  /** Reads one response. Never rejects. Resolves with the error that interrupted the response. */
  private async read(of: AnswerStream, response: IncomingMessage, place: StreamPlace): Promise<unknown> {
    const { events, flow, maxMessageBytes } = this.init;
    const answered = new AnsweredResponse(response, () => this.isAnswered(of), {
      flow,
      all: this.answered,
    });
    const sink = {
      event: (data: LineParts, type: string): void => {
        const line = type === '' || type === 'message' ? messageLine(data) : undefined;
        if (line !== undefined) {
          place.messages += 1;
          events.line(line);
        }
        answered.look();
      },
      id: (id: string) => place.at(id),
      retry: (delayMs: number) => void (this.retryMs = delayMs),
    };
    const stream = new EventStream(sink, maxMessageBytes);
    try {
      await readBody(response, flow, (chunk) => stream.push(chunk));
      return undefined;
    } catch (error) {
      if (answered.isLeft) return undefined;
      if (error instanceof RemoteError) place.at('');
      if (!this.isClosed) events.trouble(error);
      return error;
    } finally {
      answered.end();
    }
  }

  private isAnswered({ id }: AnswerStream): boolean {
    return id !== undefined && !this.init.events.isAwaited(id);
  }

  /** True if the missing part of a stream justifies another request. */
  private async isWanted({ id, sending }: AnswerStream, place: StreamPlace): Promise<boolean> {
    const { flow, events } = this.init;
    if (this.init.get === undefined || (id !== undefined && !place.isResumable)) return false;
    await flow.whenDelivered();
    if (this.isClosed || sending.isAborted) return false;
    return id === undefined || events.isAwaited(id);
  }

  private async request(
    { sending }: AnswerStream,
    lastEventId: string | undefined,
  ): Promise<IncomingMessage | 'none' | 'failed'> {
    const { where, get, events } = this.init;
    try {
      const response = await get?.(lastEventId, sending);
      if (response === undefined || !isEventStream(response)) {
        response?.destroy();
        return 'none';
      }
      events.listened('open');
      return response;
    } catch (error) {
      if (this.isClosed || sending.isAborted) return 'none';
      const problem = toRemoteError(where, error);
      events.trouble(problem);
      events.listened({ problem });
      return 'failed';
    }
  }

  private delay(failures: number): Promise<void> {
    const wanted = this.retryMs ?? Math.min(FIRST_DELAY_MS * DELAY_GROWTH ** failures, MAX_DELAY_MS);
    return new Promise((resolve) => {
      if (this.isClosed) return resolve();
      const timer = this.init.clock.schedule(
        () => {
          this.timers.delete(timer);
          resolve();
        },
        Math.max(wanted, MIN_DELAY_MS),
      );
      this.timers.add(timer);
    });
  }
}

/** The current position in a stream. */
class StreamPlace {
  lastEventId: string | undefined;
  /** The number of messages so far. */
  messages = 0;
  /** True if the server can continue the stream. */
  isResumable = false;

  /** @param id an empty id resets the position, as the standard defines */
  at(id: string): void {
    this.lastEventId = id === '' ? undefined : id;
    if (id !== '') this.isResumable = true;
  }
}

/** True if the body of a response is an event stream. */
export function isEventStream({ headers }: IncomingMessage): boolean {
  return /^text\/event-stream\b/i.test(headers['content-type'] ?? '');
}
