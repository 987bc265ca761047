import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';

import type { Channel, ClientSession } from '@mcpmux/core';

import type { Caller } from '../entrance/caller.js';
import { refuse, type Refusal } from '../entrance/refusal.js';
import { marksStreams, type RequestHeaders } from '../entrance/request-headers.js';
import { EVENT_HEADERS } from './event-headers.js';
import { EventStore } from './event-store.js';
import { EventStream } from './event-stream.js';
import { type FrontSession, SessionOwner } from './http-sessions.js';
import { HttpChannel } from './http-channel.js';
import type { HttpLimits } from './http-limits.js';
import { STANDALONE_STREAM } from './loss-notice.js';
import { type OpenRequest, OpenRequests } from './open-requests.js';
import { PostReply, type ReplyHost } from './post-reply.js';
import { type PostedBody, requestIds } from './posted-body.js';
import { NO_SESSION, SAME_ID, UNKNOWN_EVENT } from './session-refusals.js';
import { SessionStream } from './session-stream.js';

/** The dependencies of an {@link HttpSession}. */
export interface HttpSessionParts {
  /** Opens the mux session for this session. */
  readonly connect: (link: Channel, caller: Caller) => ClientSession;
  readonly limits: HttpLimits;
  readonly now: () => number;
  /** The caller that may use the session. For every other caller, the session does not exist. */
  readonly caller: Caller;
  readonly onAnswer: (request: OpenRequest, line: Buffer) => void;
  /** The session id. Random if absent. */
  readonly id?: string | undefined;
}

/** One MCP session over Streamable HTTP. Consists of a mux session and the connections of its client. */
export class HttpSession implements FrontSession, ReplyHost {
  readonly id: string;
  readonly owner: SessionOwner;
  readonly requests: OpenRequests<PostReply>;
  readonly limits: HttpLimits;
  private readonly muxSession: ClientSession;
  private readonly channel: HttpChannel;
  private readonly store: EventStore;
  private readonly standalone: SessionStream;
  private readonly connections: ServerResponse[] = [];
  private readonly idHeader: readonly string[];
  readonly jsonHeaders: readonly string[];
  private streams = 0;
  private lastUsedAt: number;

  constructor(private readonly parts: HttpSessionParts) {
    const { limits, now, caller, onAnswer, connect, id = randomBytes(16).toString('hex') } = parts;
    this.id = id;
    this.idHeader = ['mcp-session-id', id];
    this.jsonHeaders = ['content-type', 'application/json', ...this.idHeader];
    this.owner = new SessionOwner(caller);
    this.limits = limits;
    this.lastUsedAt = now();
    this.requests = new OpenRequests(now);
    this.store = new EventStore(limits, now);
    this.standalone = new SessionStream(STANDALONE_STREAM, this.store);
    const { requests, standalone } = this;
    const endResponses = (): Promise<void> => this.endResponses();
    this.channel = new HttpChannel({ requests, standalone, limits, onAnswer, endResponses });
    this.muxSession = connect(this.channel, caller);
  }

  /** Resolves when the session has ended. */
  get closed(): Promise<void> {
    return this.muxSession.closed;
  }

  /** The time since the client's last request or stream ended, in milliseconds. 0 while one is open. */
  get idleMs(): number {
    return this.connections.length > 0 || this.requests.size > 0 ? 0 : this.parts.now() - this.lastUsedAt;
  }

  /** The number of bytes that the client has not read yet. */
  get unreadBytes(): number {
    return this.connections.reduce((sum, { writableLength }) => sum + writableLength, 0);
  }

  /** Returns the refusal of a body that contains a duplicate request id. */
  idRefusal(body: PostedBody): Refusal | undefined {
    const ids = requestIds(body);
    const hasDuplicates = ids.length > 1 && new Set(ids).size < ids.length;
    return hasDuplicates || ids.some((id) => this.requests.has(id)) ? SAME_ID : undefined;
  }

  /**
   * Serves the messages in a POST.
   *
   * @param version the protocol revision of the client, which determines how it reads a stream
   */
  post(response: ServerResponse, body: PostedBody, version: string | undefined): void {
    if (this.channel.isPaused) return refuse(response, NO_SESSION);
    const ids = requestIds(body);
    this.track(response);
    const reply = ids.length === 0 ? undefined : new PostReply(this, response, ids.length, version);
    for (const message of body.messages) this.channel.receive(message, reply);
    if (reply === undefined) response.writeHead(202).end();
  }

  /** Opens the stream of the session, or resumes a stream that the client has lost. */
  get(response: ServerResponse, headers: RequestHeaders): void {
    const lastEventId = headers.get('last-event-id') ?? '';
    const streamId = lastEventId === '' ? STANDALONE_STREAM : this.store.streamOf(lastEventId);
    if (streamId === undefined) return refuse(response, UNKNOWN_EVENT);
    if (this.channel.isPaused) return refuse(response, NO_SESSION);
    this.track(response);
    const reply = [...this.requests.connections].find(({ stream }) => stream?.id === streamId);
    const isStandalone = streamId === STANDALONE_STREAM;
    const stream = isStandalone
      ? this.standalone
      : (reply?.stream ?? new SessionStream(streamId, this.store));
    this.connect(stream, response);
    if (lastEventId !== '') stream.replay(lastEventId);
    if (isStandalone) this.channel.standaloneOpened();
    // All responses on this stream have been sent.
    else if (reply === undefined) stream.end();
  }

  /** Ends the session at the request of the client. */
  end(response: ServerResponse): void {
    this.channel.ended();
    response.writeHead(200).end();
  }

  /** Ends the session after answering requests in flight and sending queued messages. */
  close(): Promise<void> {
    return this.muxSession.close();
  }

  openStream(response: ServerResponse, version: string | undefined): SessionStream {
    this.streams += 1;
    const stream = new SessionStream(String(this.streams), this.store);
    this.connect(stream, response);
    if (marksStreams(version)) stream.mark();
    return stream;
  }

  private connect(stream: SessionStream, response: ServerResponse): void {
    const headers = [...EVENT_HEADERS, ...this.idHeader];
    const connection = new EventStream(response, headers, this.limits, () => stream.disconnected(connection));
    stream.connect(connection);
  }

  private async endResponses(): Promise<void> {
    const closings = this.connections.map((response) => {
      return new Promise((resolve) => response.once('close', resolve));
    });
    for (const reply of this.requests.connections) reply.end();
    this.standalone.end();
    await Promise.all(closings);
  }

  private track(response: ServerResponse): void {
    // The response has already emitted `close`.
    if (response.destroyed) return;
    this.connections.push(response);
    response.on('close', () => {
      this.connections.splice(this.connections.indexOf(response), 1);
      this.lastUsedAt = this.parts.now();
    });
  }
}
