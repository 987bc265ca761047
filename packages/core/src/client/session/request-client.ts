import { waitAtMost } from '@mcpmux/kit';
import type { OutgoingLine, RawId } from '@mcpmux/wire';
import type { Principal } from '../../guards/principal.js';
import type { Registry } from '../../server/registry/registry.js';
import type { SessionLayers } from '../../server/registry/layers.js';
import type { Connection } from '../../server/link/connection.js';
import type { RequestOrigin } from '../caller/caller.js';
import type { Caller } from '../caller/caller.js';
import type { CallerView, Sources } from '../caller/caller-view.js';
import type { ProtocolLogLevel } from '../caller/log-level.js';
import type { CallingClient } from '../caller/own-tool-handler.js';
import { DEADLINE, GONE, type Abort, type Exchange } from '../request/exchange.js';
import type { ClientPipe, ServedMessage } from './client-pipe.js';
import { handleGuarded, type ExchangeParts } from './exchanges.js';
import { listWithoutSession, type FirstListWait } from './first-list.js';
import type { ExchangeTable, IncomingRequest } from '../request/incoming-request.js';

/** The origin of one request: its layers, its principal and its views. */
export interface RequestClientInit {
  readonly incoming: IncomingRequest;
  readonly layers: SessionLayers;
  readonly principal: Principal;
  readonly view: CallerView;
  readonly whole: Sources;
  readonly parameter: RequestOrigin['parameter'];
}

/** The client of one request without a connection. It has one exchange and ends with the answer. */
export class RequestClient implements RequestOrigin, ExchangeTable, ServedMessage {
  private resolveEnded: () => void = () => undefined;
  readonly ended = new Promise<void>((resolve) => (this.resolveEnded = resolve));
  readonly isStanding = false;
  readonly session: number;
  readonly principal: Principal;
  readonly layer: Registry;
  readonly view: CallerView;
  readonly whole: Sources;
  readonly parameter: RequestOrigin['parameter'];
  /** The log level that the request has set. */
  meanwhileLevel: ProtocolLogLevel | undefined;
  private exchange: Exchange | undefined;

  constructor(
    private readonly pipe: ClientPipe,
    private readonly init: RequestClientInit,
    private readonly parts: ExchangeParts & FirstListWait,
    /** Called when the request sets its log level, which applies while the request is open. */
    private readonly levelChanged: (client: RequestClient) => void,
  ) {
    this.session = init.layers.session;
    this.principal = init.principal;
    this.layer = init.layers.own;
    this.view = init.view;
    this.whole = init.whole;
    this.parameter = init.parameter;
  }

  get client(): this {
    return this;
  }

  get caller(): this {
    return this;
  }

  get forTools(): CallingClient {
    const { session, isStanding, principal, view, init } = this;
    return {
      session,
      isStanding,
      principal,
      view,
      layers: init.layers,
      speaks: { era: 'modern' },
      isStdio: false,
      takesForms: false,
      takesUrls: false,
      elicit: () => Promise.resolve({ problem: 'a message without a connection takes no questions' }),
      urlVisited: () => undefined,
    };
  }

  start(): void {
    this.parts.modern.open(this, this.init.incoming);
  }

  begin(exchange: Exchange): void {
    this.exchange = exchange;
    handleGuarded(exchange, this.parts);
  }

  resume(_: RawId, exchange: Exchange): void {
    this.exchange = exchange;
  }

  answered(id: RawId, line: OutgoingLine, from: Connection | undefined): void {
    this.exchange = undefined;
    this.pipe.send(line, from, false, id);
    this.resolveEnded();
  }

  send(line: OutgoingLine, from?: Connection, isShared?: boolean): void {
    this.pipe.send(line, from, isShared);
  }

  firstTools(caller: Caller): Promise<unknown> | undefined {
    return listWithoutSession(caller, this.parts);
  }

  wantsLogsMeanwhile(level: ProtocolLogLevel): void {
    this.meanwhileLevel = level;
    this.levelChanged(this);
  }

  /**
   * Ends the request. Answers a request for notifications immediately, and any other request with a failure if it is
   * still open after `drainMs`.
   */
  async finish(drainMs: number): Promise<void> {
    const { exchange, parts } = this;
    if (exchange !== undefined && parts.modern.standing.has(exchange.method)) this.abort(DEADLINE);
    else await waitAtMost(drainMs, this.ended, parts.clock);
    this.abort(DEADLINE);
    this.close();
  }

  close(): void {
    this.abort(GONE);
    this.pipe.close();
    this.resolveEnded();
  }

  private abort(why: Abort): void {
    const { exchange } = this;
    this.exchange = undefined;
    exchange?.abort(why);
  }
}
