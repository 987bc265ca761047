import { waitAtMost, type Clock, type Timer } from '../base/clock.js';
import type { TextMask } from '../base/text-mask.js';
import { thrownProblem } from './describe-problem.js';
import type { BodyLimits } from './body-source.js';
import { RemoteError, SessionLostError } from './remote-error.js';
import type { RemoteEndpoint } from './remote-endpoint.js';
import { RemoteHttp } from './remote-http.js';
import type { RemoteSendOptions, RemoteTransport, RemoteTransports } from './remote-transport.js';
import { checked, type ListenOutcome } from './response-check.js';
import { redactUrl } from '../redact/redact-url.js';

/** What the owner of a {@link RemoteSession} is told. */
export interface RemoteSessionEvents {
  message(message: unknown): void;
  /** The session is over. Called at most once. */
  over(error: RemoteError): void;
  /** Something went wrong that no message was waiting for. */
  trouble(problem: string): void;
}

/** What a {@link RemoteSession} works with. */
export interface RemoteSessionComponents {
  readonly transports: RemoteTransports;
  readonly clock: Clock;
  readonly mask: TextMask;
  readonly body: BodyLimits;
}

/** How often in a row a stream that was open may fail to open again. The SDK waits up to 30 s each time. */
const MAX_FAILED_OPENINGS = 20;
/** To a first POST these say that the server may be one of the deprecated kind, as does every other 4xx but them. */
const NO_FALLBACK = new Set([401, 403, 407, 408, 425, 429]);

/** One session with a server at a url: which transport it speaks, whether it still knows us, and its end. */
export class RemoteSession {
  private transport: RemoteTransport;
  private kind: 'http' | 'sse';
  private readonly where: string;
  private readonly http: RemoteHttp;
  private readonly timers = new Set<Timer>();
  private wasListening = false;
  private failedOpenings = 0;
  private isOver = false;
  /** Why the last attempt to listen has failed. */
  private deaf: RemoteError | undefined;

  constructor(
    private readonly endpoint: RemoteEndpoint,
    private readonly components: RemoteSessionComponents,
    private readonly events: RemoteSessionEvents,
  ) {
    this.where = redactUrl(endpoint.url.href);
    this.http = new RemoteHttp(endpoint.url, components.body, endpoint);
    this.kind = endpoint.transport === 'sse' ? 'sse' : 'http';
    this.transport = this.newTransport();
  }

  /** Sends the opening request, over the transport that the server speaks. Rejects with {@link RemoteError}. */
  async open(message: object, options: RemoteSendOptions): Promise<void> {
    try {
      await this.begin(message, options);
    } catch (error) {
      const problem = thrownProblem(this.where, error);
      if (this.endpoint.transport !== 'auto' || !mayBeDeprecated(problem)) throw problem;
      await this.fallBack(message, options, problem);
    }
  }

  /** Sends any other message. Rejects with {@link RemoteError}. */
  async send(message: object, options?: RemoteSendOptions): Promise<void> {
    try {
      await this.transport.send(message, options);
    } catch (error) {
      const problem = thrownProblem(this.where, error);
      if (this.isForgotten(problem)) this.lose(problem);
      throw problem;
    }
  }

  /** The revision that was agreed on goes into a header from now on. */
  agreed(protocolVersion: string): void {
    this.transport.setProtocolVersion?.(protocolVersion);
  }

  /** Tells the server, within `limitMs`, and closes every connection. */
  async close(limitMs: number): Promise<void> {
    const isForgotten = this.isOver;
    this.isOver = true;
    if (!isForgotten && limitMs > 0) await this.terminate(limitMs);
    await this.closeTransport();
    this.http.destroy();
  }

  private async begin(message: object, options: RemoteSendOptions): Promise<void> {
    try {
      await this.transport.start();
    } catch (error) {
      // That of the SDK says less.
      throw this.deaf ?? error;
    }
    await this.transport.send(message, options);
  }

  private async fallBack(message: object, options: RemoteSendOptions, first: RemoteError): Promise<void> {
    await this.closeTransport();
    if (this.isOver) throw first;
    this.kind = 'sse';
    this.transport = this.newTransport();
    try {
      await this.begin(message, options);
    } catch (error) {
      // Of a server that speaks neither, the answer to the first attempt says more.
      const { problem } = thrownProblem(this.where, error);
      const both =
        problem === first.problem ? `${problem} to POST and GET` : `${first.problem}; to GET: ${problem}`;
      throw new RemoteError(both, first.advice, first.status);
    }
  }

  private newTransport(): RemoteTransport {
    const { kind, where, endpoint, components } = this;
    const fetch = checked({
      where,
      fetch: this.http.fetch,
      fetchNamed: this.http.fetchNamed,
      isAnsweredByPost: kind === 'http',
      endpoint,
      mask: this.components.mask,
      listened: (outcome) => this.listened(outcome),
    });
    const init = {
      ...endpoint,
      fetch,
      schedule: (callback: () => void, delayMs: number) => this.schedule(callback, delayMs),
    };
    const transport =
      kind === 'http' ? components.transports.streamableHttp(init) : components.transports.sse(init);
    transport.onmessage = (message: unknown) => {
      if (transport === this.transport) this.events.message(message);
    };
    transport.onerror = (error) => this.events.trouble(thrownProblem(where, error).problem);
    return transport;
  }

  private listened(outcome: ListenOutcome): void {
    if (this.isOver) return;
    if (this.kind === 'sse' && this.wasListening) {
      const problem = `${this.where} has closed the stream of the session`;
      return this.lose(new RemoteError(problem));
    }
    if (outcome === 'open') {
      this.wasListening = true;
      this.failedOpenings = 0;
      return;
    }
    this.deaf = outcome.problem;
    if (this.wasListening) this.notListening(outcome.problem);
  }

  private notListening(problem: RemoteError): void {
    if (this.isForgotten(problem)) return this.lose(problem);
    this.failedOpenings += 1;
    if (this.failedOpenings >= MAX_FAILED_OPENINGS) this.end(problem);
  }

  /** The specification says 404. Servers built after the examples of the SDK say 400 and something about a session. */
  private isForgotten({ status, problem }: RemoteError): boolean {
    if (this.kind === 'http' && this.transport.sessionId === undefined) return false;
    return status === 404 || (status === 400 && /\bsession\b/i.test(problem));
  }

  private lose({ problem, advice, status }: RemoteError): void {
    this.end(new SessionLostError(problem, advice, status));
  }

  private end(error: RemoteError): void {
    if (this.isOver) return;
    this.isOver = true;
    this.events.over(error);
  }

  private schedule(callback: () => void, delayMs: number): Timer {
    const timer = this.components.clock.schedule(() => {
      this.timers.delete(timer);
      callback();
    }, delayMs);
    this.timers.add(timer);
    return timer;
  }

  private async terminate(limitMs: number): Promise<void> {
    const ending = this.transport.terminateSession?.().catch(() => undefined) ?? Promise.resolve();
    await waitAtMost(limitMs, ending, this.components.clock);
  }

  private async closeTransport(): Promise<void> {
    for (const timer of this.timers) timer.cancel();
    this.timers.clear();
    // It is over either way.
    await this.transport.close().catch(() => undefined);
  }
}

function mayBeDeprecated({ status = 0 }: RemoteError): boolean {
  return status >= 400 && status < 500 && !NO_FALLBACK.has(status);
}
