import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';

import type { Channel, ClientSession } from '@mcpmux/core';

import type { Caller } from '../entrance/caller.js';
import { refuse, type Refusal } from '../entrance/refusal.js';
import { acceptsEmptyEvents, type RequestHeaders } from '../entrance/request-headers.js';
import { EVENT_HEADERS } from './event-headers.js';
import { EventStore } from './event-store.js';
import { EventStream } from './event-stream.js';
import { type FrontSession, SessionOwner } from './http-sessions.js';
import { HttpChannel } from './http-channel.js';
import type { HttpLimits } from './http-limits.js';
import { STANDALONE_STREAM_ID } from './loss-notice.js';
import { type OpenRequest, OpenRequests } from './open-requests.js';
import { PostReply, type ReplySession } from './post-reply.js';
import { type PostedBody, requestKeysIn } from './posted-body.js';
import { UNKNOWN_SESSION, DUPLICATE_REQUEST_ID, UNKNOWN_EVENT } from './session-refusals.js';
import { SessionStream } from './session-stream.js';

/** The dependencies of an {@link HttpSession}. */
export interface HttpSessionParts {
  /** Opens the mux session that serves this HTTP session. */
  readonly openMuxSession: (link: Channel, caller: Caller) => ClientSession;
  readonly limits: HttpLimits;
  readonly now: () => number;
  /** The only caller that may use the session. For any other caller, the session does not exist. */
  readonly caller: Caller;
  readonly onAnswer: (request: OpenRequest, line: Buffer) => void;
  /** The session's id. Random if absent. */
  readonly id?: string | undefined;
}

/** One MCP session over Streamable HTTP: a mux session and its client's connections. */
export class HttpSession implements FrontSession, ReplySession {
  readonly id: string;
  readonly owner: SessionOwner;
  readonly requests: OpenRequests<PostReply>;
  readonly limits: HttpLimits;
  private readonly muxSession: ClientSession;
  private readonly channel: HttpChannel;
  private readonly eventStore: EventStore;
  private readonly standaloneStream: SessionStream;
  private readonly openResponses: ServerResponse[] = [];
  private readonly sessionIdHeader: readonly string[];
  readonly jsonHeaders: readonly string[];
  private streamCount = 0;
  private lastUsedAt: number;

  constructor(private readonly parts: HttpSessionParts) {
    const { limits, now, caller, onAnswer, openMuxSession, id = randomBytes(16).toString('hex') } = parts;
    this.id = id;
    this.sessionIdHeader = ['mcp-session-id', id];
    this.jsonHeaders = ['content-type', 'application/json', ...this.sessionIdHeader];
    this.owner = new SessionOwner(caller);
    this.limits = limits;
    this.lastUsedAt = now();
    this.requests = new OpenRequests(now);
    this.eventStore = new EventStore(limits, now);
    this.standaloneStream = new SessionStream(STANDALONE_STREAM_ID, this.eventStore);
    const { requests, standaloneStream } = this;
    const endResponses = (): Promise<void> => this.endResponses();
    this.channel = new HttpChannel({ requests, standaloneStream, limits, onAnswer, endResponses });
    this.muxSession = openMuxSession(this.channel, caller);
  }

  /** Resolves once the session has ended. */
  get closed(): Promise<void> {
    return this.muxSession.closed;
  }

  /** The milliseconds since the client's last request or stream ended. 0 while one is open. */
  get idleMs(): number {
    return this.openResponses.length > 0 || this.requests.size > 0 ? 0 : this.parts.now() - this.lastUsedAt;
  }

  /** The number of bytes that the client has not read yet. */
  get unreadBytes(): number {
    return this.openResponses.reduce((sum, { writableLength }) => sum + writableLength, 0);
  }

  /** Returns the error response to a body that contains a duplicate request id. */
  duplicateIdRefusal(body: PostedBody): Refusal | undefined {
    const requestKeys = requestKeysIn(body);
    const hasDuplicates = requestKeys.length > 1 && new Set(requestKeys).size < requestKeys.length;
    return hasDuplicates || requestKeys.some((id) => this.requests.has(id))
      ? DUPLICATE_REQUEST_ID
      : undefined;
  }

  /**
   * Serves the messages in a POST.
   *
   * @param version the client's protocol revision, which determines how the client reads a stream
   */
  servePost(response: ServerResponse, body: PostedBody, version: string | undefined): void {
    if (this.channel.isPaused) return refuse(response, UNKNOWN_SESSION);
    const requestKeys = requestKeysIn(body);
    this.trackResponse(response);
    const reply =
      requestKeys.length === 0 ? undefined : new PostReply(this, response, requestKeys.length, version);
    for (const message of body.messages) this.channel.receive(message, reply);
    if (reply === undefined) response.writeHead(202).end();
  }

  /** Opens the session's own stream, or resumes a stream whose connection the client has lost. */
  serveGet(response: ServerResponse, headers: RequestHeaders): void {
    const lastEventId = headers.get('last-event-id') ?? '';
    const streamId = lastEventId === '' ? STANDALONE_STREAM_ID : this.eventStore.streamIdOf(lastEventId);
    if (streamId === undefined) return refuse(response, UNKNOWN_EVENT);
    if (this.channel.isPaused) return refuse(response, UNKNOWN_SESSION);
    this.trackResponse(response);
    const reply = [...this.requests.connections].find(({ stream }) => stream?.id === streamId);
    const isStandalone = streamId === STANDALONE_STREAM_ID;
    const stream = isStandalone
      ? this.standaloneStream
      : (reply?.stream ?? new SessionStream(streamId, this.eventStore));
    this.connectStream(stream, response);
    if (lastEventId !== '') stream.replay(lastEventId);
    if (isStandalone) this.channel.sendQueued();
    // This stream has already carried all of its responses.
    else if (reply === undefined) stream.end();
  }

  /** Ends the session at the client's request. */
  serveDelete(response: ServerResponse): void {
    this.channel.reportEnd();
    response.writeHead(200).end();
  }

  /** Ends the session after responding to requests in flight and sending queued messages. */
  close(): Promise<void> {
    return this.muxSession.close();
  }

  openStream(response: ServerResponse, version: string | undefined): SessionStream {
    this.streamCount += 1;
    const stream = new SessionStream(String(this.streamCount), this.eventStore);
    this.connectStream(stream, response);
    if (acceptsEmptyEvents(version)) stream.sendPosition();
    return stream;
  }

  private connectStream(stream: SessionStream, response: ServerResponse): void {
    const headers = [...EVENT_HEADERS, ...this.sessionIdHeader];
    const connection = new EventStream(response, headers, this.limits, () => stream.disconnect(connection));
    stream.connect(connection);
  }

  private async endResponses(): Promise<void> {
    const closePromises = this.openResponses.map((response) => {
      return new Promise((resolve) => response.once('close', resolve));
    });
    for (const reply of this.requests.connections) reply.end();
    this.standaloneStream.end();
    await Promise.all(closePromises);
  }

  private trackResponse(response: ServerResponse): void {
    // The client has already closed the response, which will not emit `close` again.
    if (response.destroyed) return;
    this.openResponses.push(response);
    response.on('close', () => {
      this.openResponses.splice(this.openResponses.indexOf(response), 1);
      this.lastUsedAt = this.parts.now();
    });
  }
}
