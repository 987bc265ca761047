import { type Clock, redactUrl, type TextMask, waitAtMost } from '@mcpmux/kit';
import type { LineParts } from './line-parts.js';
import { DeprecatedSse } from './deprecated-sse.js';
import { toRemoteError } from './describe-problem.js';
import { fetchInTime } from './fetch-in-time.js';
import { RemoteError, SessionLostError } from './remote-error.js';
import type { RemoteEndpoint } from './remote-endpoint.js';
import { RemoteHttp } from './remote-http.js';
import type { CreateRemoteTokens } from './remote-tokens.js';
import type {
  ListenOutcome,
  RemoteMessage,
  RemoteTransport,
  RemoteTransportEvents,
  SessionOpening,
} from './remote-transport.js';
import type { Flow } from './response-body.js';
import type { Sending } from './sending.js';
import { ServerHttp } from './server-http.js';
import { mayConcernSession, isSessionLost, isSessionError } from './session-refusal.js';
import { StatelessHttp, type Renewed } from './stateless-http.js';
import { StreamableHttp, type RemoteTransportInit } from './streamable-http.js';

/** The events of a {@link RemoteSession}, for its owner. */
export interface RemoteSessionEvents extends Pick<
  RemoteTransportEvents,
  'line' | 'accepted' | 'ended' | 'isAwaited'
> {
  readonly renewed: Renewed;
  /**
   * Called when a refusal mentions the session. Must resolve with true if a new session is available. This session
   * stays in use until then, and also if no new session opens.
   */
  doubted(): Promise<boolean>;
  /** Called at most once, when the session has ended. */
  sessionEnded(error: RemoteError): void;
  /** Reports a problem that does not concern a waiting message. */
  trouble(problem: string): void;
}

/** The dependencies of a {@link RemoteSession}. */
export interface RemoteSessionComponents {
  readonly opening: SessionOpening;
  readonly createTokens: CreateRemoteTokens;
  readonly clock: Clock;
  readonly mask: TextMask;
  readonly flow: Flow;
  /** The maximum size of one server message, in bytes. */
  readonly maxMessageBytes: number;
}

/** The maximum number of consecutive failed attempts to open the stream. The delay between attempts grows to 30 s. */
const MAX_FAILED_OPENINGS = 20;
/**
 * The maximum time for which a refused call waits for the new session, in milliseconds. Its caller may retry at once.
 */
const MAX_REOPENING_MS = 10_000;
const NEW_SESSION =
  'A new session is open. The request was not repeated: check whether it has had effects, then try again.';
const NO_SESSION =
  'It may have lost the session: mcpmux opens at most one new session in a minute. Try again then, or call ' +
  'reload_server. If that does not help:';
/** Statuses of a first POST that do not indicate the deprecated transport. All other 4xx statuses may indicate it. */
const NO_FALLBACK = new Set([401, 403, 407, 408, 425, 429]);
/**
 * Error codes that a server of the deprecated transport does not use, for a header mismatch, a missing capability and
 * an unsupported revision.
 */
const LATER_REVISION_CODES = new Set([-32_020, -32_021, -32_022]);

/** One session with a server at a URL. Selects the transport, detects the loss of the session, and ends the session. */
export class RemoteSession {
  private transport: RemoteTransport;
  private kind: 'http' | 'sse';
  private readonly redactedUrl: string;
  private readonly http: RemoteHttp;
  private readonly requests: ServerHttp;
  private readonly stateless: StatelessHttp;
  /** True after the opening request has been sent. */
  private isOpened = false;
  private wasListening = false;
  private failedOpenings = 0;
  private isOver = false;

  constructor(
    private readonly endpoint: RemoteEndpoint,
    private readonly components: RemoteSessionComponents,
    private readonly events: RemoteSessionEvents,
  ) {
    const { flow, maxMessageBytes, createTokens, mask, clock } = components;
    this.redactedUrl = redactUrl(endpoint.url.href);
    this.http = new RemoteHttp(
      endpoint.url,
      { maxMessageBytes, whenReadable: () => flow.whenTaken() },
      endpoint,
    );
    const tokens = createTokens(endpoint, fetchInTime(this.http.fetchNamed, clock));
    this.requests = new ServerHttp(this.redactedUrl, this.http, tokens, mask);
    this.kind = endpoint.transport === 'sse' ? 'sse' : 'http';
    this.transport = this.newTransport();
    this.stateless = new StatelessHttp(
      this.createInit(() => true),
      events.renewed,
    );
  }

  /** True if a session exists. With the deprecated transport, the stream is the session. */
  get hasSession(): boolean {
    return this.kind === 'sse' || this.transport.sessionId !== undefined;
  }

  /** Sends the opening request over the transport that the server supports. Rejects with {@link RemoteError}. */
  async open(message: RemoteMessage, sending: Sending): Promise<void> {
    this.isOpened = true;
    try {
      await this.begin(message, sending);
    } catch (error) {
      const problem = toRemoteError(this.redactedUrl, error);
      this.isOpened = this.endpoint.transport === 'auto' && mayBeDeprecated(problem);
      if (!this.isOpened) throw problem;
      await this.fallBack(message, sending, problem);
    }
  }

  /** Sends any other message. Rejects with {@link RemoteError}. */
  async send(message: RemoteMessage, sending: Sending): Promise<void> {
    const isStateless = message.headers !== undefined;
    // Before the opening request, a message without an id belongs to no session and is dropped.
    if (!isStateless && message.id === undefined && !this.isOpened) return;
    try {
      await (isStateless ? this.stateless : this.transport).send(message, sending);
    } catch (error) {
      const problem = toRemoteError(this.redactedUrl, error);
      if (isStateless || !this.hasSession) throw problem;
      if (isSessionLost(this.redactedUrl, problem)) this.lose(problem);
      else if (mayConcernSession(this.redactedUrl, problem)) throw await this.describeLoss(problem);
      throw problem;
    }
  }

  /** Makes all later requests send the agreed protocol revision in a header. */
  setProtocolVersion(protocolVersion: string): void {
    this.transport.setProtocolVersion(protocolVersion);
  }

  /** Reports the end to the server within `limitMs`, then closes all connections. */
  async close(limitMs: number): Promise<void> {
    const wasOver = this.isOver;
    this.isOver = true;
    if (!wasOver && limitMs > 0) await this.terminate(limitMs);
    this.transport.close();
    this.stateless.close();
    this.http.destroy();
  }

  private async begin(message: RemoteMessage, sending: Sending): Promise<void> {
    await this.transport.start();
    await this.transport.send(message, sending);
  }

  private async fallBack(message: RemoteMessage, sending: Sending, first: RemoteError): Promise<void> {
    this.transport.close();
    if (this.isOver) throw first;
    this.kind = 'sse';
    this.transport = this.newTransport();
    try {
      await this.begin(message, sending);
    } catch (error) {
      this.isOpened = false;
      // For a server that supports neither transport, the first response is more informative.
      const { problem } = toRemoteError(this.redactedUrl, error);
      const combined =
        problem === first.problem ? `${problem} to POST and GET` : `${first.problem}; to GET: ${problem}`;
      throw new RemoteError(combined, first.advice, first.status);
    }
  }

  private newTransport(): RemoteTransport {
    const init = this.createInit(() => transport === this.transport);
    const transport = this.kind === 'http' ? new StreamableHttp(init) : new DeprecatedSse(init);
    return transport;
  }

  private createInit(isCurrent: () => boolean): RemoteTransportInit {
    const { endpoint, redactedUrl, requests: http, events, components } = this;
    return {
      ...components,
      endpoint,
      redactedUrl,
      http,
      events: {
        line: (parts: LineParts) => {
          if (!isCurrent()) return;
          if (this.hasSession && isSessionError(parts)) void events.doubted();
          events.line(parts);
        },
        accepted: (id: number) => events.accepted(id),
        ended: (id: number, why?: RemoteError) => events.ended(id, why),
        isAwaited: (id: number) => events.isAwaited(id),
        listened: (outcome: ListenOutcome) => this.listened(outcome),
        trouble: (error: unknown) => events.trouble(toRemoteError(redactedUrl, error).problem),
      },
    };
  }

  private listened(outcome: ListenOutcome): void {
    if (this.isOver) return;
    if (outcome === 'open') {
      this.wasListening = true;
      this.failedOpenings = 0;
    } else if ('ended' in outcome) this.lose(outcome.ended);
    else if (this.wasListening) this.notListening(outcome.problem);
  }

  private notListening(problem: RemoteError): void {
    if (this.hasSession && isSessionLost(this.redactedUrl, problem)) return this.lose(problem);
    if (this.hasSession && mayConcernSession(this.redactedUrl, problem)) void this.events.doubted();
    this.failedOpenings += 1;
    if (this.failedOpenings >= MAX_FAILED_OPENINGS) this.end(problem);
  }

  private async describeLoss({ problem, advice, status, code }: RemoteError): Promise<RemoteError> {
    const reopening = this.events.doubted();
    const isOpen =
      (await waitAtMost(MAX_REOPENING_MS, reopening, this.components.clock)) && (await reopening);
    return new RemoteError(problem, isOpen ? NEW_SESSION : `${NO_SESSION} ${advice ?? ''}`, status, code);
  }

  private lose({ problem, advice, status }: RemoteError): void {
    this.end(new SessionLostError(problem, advice, status));
  }

  private end(error: RemoteError): void {
    if (this.isOver) return;
    this.isOver = true;
    this.events.sessionEnded(error);
  }

  private async terminate(limitMs: number): Promise<void> {
    const ending = this.transport.terminate().catch(() => undefined);
    await waitAtMost(limitMs, ending, this.components.clock);
  }
}

function mayBeDeprecated({ status = 0, code = 0 }: RemoteError): boolean {
  return status >= 400 && status < 500 && !NO_FALLBACK.has(status) && !LATER_REVISION_CODES.has(code);
}
