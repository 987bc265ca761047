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
import { StatelessHttp, type RenewHeaders } from './stateless-http.js';
import { StreamableHttp, type RemoteTransportInit } from './streamable-http.js';

/** The events of a {@link RemoteSession}. */
export interface RemoteSessionEvents extends Pick<
  RemoteTransportEvents,
  'line' | 'onAccepted' | 'onEnded' | 'isAwaited'
> {
  readonly renewHeaders: RenewHeaders;
  /**
   * Called when a rejection mentions the session. Must resolve to true if a new session is available. This session
   * remains in use until then, and if no new session opens.
   */
  onSessionDoubt(): Promise<boolean>;
  /** Called at most once, when the session ends. */
  onSessionEnd(error: RemoteError): void;
  /** Reports a problem that does not concern any pending message. */
  reportProblem(problem: string): void;
}

/** The dependencies of a {@link RemoteSession}. */
export interface RemoteSessionComponents {
  readonly opening: SessionOpening;
  readonly createTokens: CreateRemoteTokens;
  readonly clock: Clock;
  readonly mask: TextMask;
  readonly flow: Flow;
  /** The maximum size of a message from the server, in bytes. */
  readonly maxMessageBytes: number;
}

/** The maximum number of consecutive failed attempts to open the stream. The delay between them grows to 30 s. */
const MAX_FAILED_OPENINGS = 20;
/** How long a rejected call waits for the new session, in milliseconds. It waits, because its caller may retry at once. */
const MAX_REOPENING_MS = 10_000;
const NEW_SESSION_ADVICE =
  'A new session is open. The request was not repeated: check whether it has had effects, then try again.';
const NO_SESSION_ADVICE =
  'It may have lost the session: mcpmux opens at most one new session in a minute. Try again then, or call ' +
  'reload_server. If that does not help:';
/** The 4xx statuses of a response to the first POST that do not cause a fallback to the deprecated transport. */
const NO_FALLBACK_STATUSES = new Set([401, 403, 407, 408, 425, 429]);
/**
 * Error codes that no server with the deprecated transport uses: wrong header, missing capability, unknown revision.
 */
const LATER_REVISION_CODES = new Set([-32_020, -32_021, -32_022]);

/** One session with a remote server. Selects the transport, detects that the session was lost, and ends the session. */
export class RemoteSession {
  private transport: RemoteTransport;
  private transportKind: 'http' | 'sse';
  private readonly redactedUrl: string;
  private readonly http: RemoteHttp;
  private readonly serverHttp: ServerHttp;
  private readonly statelessHttp: StatelessHttp;
  /** True after the opening request has been sent. */
  private hasSentOpening = false;
  private wasListening = false;
  private failedOpenings = 0;
  private hasEnded = false;

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
    const tokens = createTokens(endpoint, fetchInTime(this.http.fetchNamedUrl, clock));
    this.serverHttp = new ServerHttp(this.redactedUrl, this.http, tokens, mask);
    this.transportKind = endpoint.transport === 'sse' ? 'sse' : 'http';
    this.transport = this.createTransport();
    this.statelessHttp = new StatelessHttp(
      this.createTransportInit(() => true),
      events.renewHeaders,
    );
  }

  /** True while a session exists. With the deprecated transport, the session is its stream. */
  get hasSession(): boolean {
    return this.transportKind === 'sse' || this.transport.sessionId !== undefined;
  }

  /** Sends the opening request over the transport that the server supports. Rejects with {@link RemoteError}. */
  async open(message: RemoteMessage, sending: Sending): Promise<void> {
    this.hasSentOpening = true;
    try {
      await this.startTransport(message, sending);
    } catch (error) {
      const remoteError = toRemoteError(this.redactedUrl, error);
      this.hasSentOpening = this.endpoint.transport === 'auto' && mayNeedDeprecatedTransport(remoteError);
      if (!this.hasSentOpening) throw remoteError;
      await this.fallBackToSse(message, sending, remoteError);
    }
  }

  /** Sends any other message. Rejects with {@link RemoteError}. */
  async send(message: RemoteMessage, sending: Sending): Promise<void> {
    const isStateless = message.headers !== undefined;
    // A message without an id that precedes the opening request belongs to no session and is dropped.
    if (!isStateless && message.id === undefined && !this.hasSentOpening) return;
    try {
      await (isStateless ? this.statelessHttp : this.transport).send(message, sending);
    } catch (error) {
      const remoteError = toRemoteError(this.redactedUrl, error);
      if (isStateless || !this.hasSession) throw remoteError;
      if (isSessionLost(this.redactedUrl, remoteError)) this.loseSession(remoteError);
      else if (mayConcernSession(this.redactedUrl, remoteError)) throw await this.describeLoss(remoteError);
      throw remoteError;
    }
  }

  /** From now on, sends the agreed protocol revision in a header of every request. */
  setProtocolVersion(protocolVersion: string): void {
    this.transport.setProtocolVersion(protocolVersion);
  }

  /** Notifies the server of the end of the session within `limitMs`, then closes all connections. */
  async close(limitMs: number): Promise<void> {
    const hadEnded = this.hasEnded;
    this.hasEnded = true;
    if (!hadEnded && limitMs > 0) await this.terminateSession(limitMs);
    this.transport.close();
    this.statelessHttp.close();
    this.http.destroy();
  }

  private async startTransport(message: RemoteMessage, sending: Sending): Promise<void> {
    await this.transport.start();
    await this.transport.send(message, sending);
  }

  private async fallBackToSse(message: RemoteMessage, sending: Sending, first: RemoteError): Promise<void> {
    this.transport.close();
    if (this.hasEnded) throw first;
    this.transportKind = 'sse';
    this.transport = this.createTransport();
    try {
      await this.startTransport(message, sending);
    } catch (error) {
      this.hasSentOpening = false;
      // If the server supports neither transport, the response to the first attempt is the more informative one.
      const { problem } = toRemoteError(this.redactedUrl, error);
      const combinedProblem =
        problem === first.problem ? `${problem} to POST and GET` : `${first.problem}; to GET: ${problem}`;
      throw new RemoteError(combinedProblem, first.advice, first.status);
    }
  }

  private createTransport(): RemoteTransport {
    const init = this.createTransportInit(() => transport === this.transport);
    const transport = this.transportKind === 'http' ? new StreamableHttp(init) : new DeprecatedSse(init);
    return transport;
  }

  private createTransportInit(isCurrent: () => boolean): RemoteTransportInit {
    const { endpoint, redactedUrl, serverHttp: http, events, components } = this;
    return {
      ...components,
      endpoint,
      redactedUrl,
      http,
      events: {
        line: (parts: LineParts) => {
          if (!isCurrent()) return;
          if (this.hasSession && isSessionError(parts)) void events.onSessionDoubt();
          events.line(parts);
        },
        onAccepted: (id: number) => events.onAccepted(id),
        onEnded: (id: number, why?: RemoteError) => events.onEnded(id, why),
        isAwaited: (id: number) => events.isAwaited(id),
        onListenOutcome: (outcome: ListenOutcome) => this.handleListenOutcome(outcome),
        reportProblem: (error: unknown) => events.reportProblem(toRemoteError(redactedUrl, error).problem),
      },
    };
  }

  private handleListenOutcome(outcome: ListenOutcome): void {
    if (this.hasEnded) return;
    if (outcome === 'open') {
      this.wasListening = true;
      this.failedOpenings = 0;
    } else if ('ended' in outcome) this.loseSession(outcome.ended);
    else if (this.wasListening) this.handleListenFailure(outcome.problem);
  }

  private handleListenFailure(problem: RemoteError): void {
    if (this.hasSession && isSessionLost(this.redactedUrl, problem)) return this.loseSession(problem);
    if (this.hasSession && mayConcernSession(this.redactedUrl, problem)) void this.events.onSessionDoubt();
    this.failedOpenings += 1;
    if (this.failedOpenings >= MAX_FAILED_OPENINGS) this.endWithError(problem);
  }

  private async describeLoss({ problem, advice, status, code }: RemoteError): Promise<RemoteError> {
    const whenReopened = this.events.onSessionDoubt();
    const hasReopened =
      (await waitAtMost(MAX_REOPENING_MS, whenReopened, this.components.clock)) && (await whenReopened);
    const nextStep = hasReopened ? NEW_SESSION_ADVICE : `${NO_SESSION_ADVICE} ${advice ?? ''}`;
    return new RemoteError(problem, nextStep, status, code);
  }

  private loseSession({ problem, advice, status }: RemoteError): void {
    this.endWithError(new SessionLostError(problem, advice, status));
  }

  private endWithError(error: RemoteError): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    this.events.onSessionEnd(error);
  }

  private async terminateSession(limitMs: number): Promise<void> {
    const termination = this.transport.terminate().catch(() => undefined);
    await waitAtMost(limitMs, termination, this.components.clock);
  }
}

function mayNeedDeprecatedTransport({ status = 0, code = 0 }: RemoteError): boolean {
  return (
    status >= 400 && status < 500 && !NO_FALLBACK_STATUSES.has(status) && !LATER_REVISION_CODES.has(code)
  );
}
