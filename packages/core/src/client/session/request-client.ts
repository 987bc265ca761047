import { waitAtMost } from '@mcpmux/kit';
import type { OutgoingLine, RawId } from '@mcpmux/wire';
import type { Catalogs } from '../../catalog/catalogs.js';
import type { Exposures } from '../../catalog/exposure/exposures.js';
import { SessionExposure } from '../../catalog/exposure/session-exposure.js';
import { HOST, type Principal } from '../../guards/principal.js';
import type { Registry } from '../../server/registry/registry.js';
import type { SessionLayers } from '../../server/registry/layers.js';
import type { Connection } from '../../server/link/connection.js';
import type { Caller, RequestOrigin } from '../caller/caller.js';
import {
  layerView,
  type CallerView,
  type OwnToolNames,
  type RestrictedViews,
  type NameSources,
} from '../caller/caller-view.js';
import type { ProtocolLogLevel } from '../caller/log-level.js';
import type { CallingClient } from '../caller/own-tool-handler.js';
import { DEADLINE, GONE, type AbortReason, type Exchange } from '../request/exchange.js';
import type { ClientPipe } from './client-pipe.js';
import { handleGuarded, type ExchangeParts } from './exchanges.js';
import { whenStatelessListReady, type FirstListWait } from './first-list.js';
import type { ExchangeTable, IncomingRequest } from '../request/incoming-request.js';

/** A message that arrived without a connection and is being processed. */
export interface ServedMessage {
  /** Resolves when nothing more will be sent for the message. */
  readonly whenEnded: Promise<unknown>;
  start(): void;
  /** Ends the processing gracefully: waits up to `drainMs` for open exchanges, then answers the rest with a failure. */
  finish(drainMs: number): Promise<void>;
  /** Ends the processing immediately. */
  close(): void;
}

/** One request without a connection, with its layers, principal and views. */
export interface RequestClientInit {
  readonly incoming: IncomingRequest;
  readonly layers: SessionLayers;
  readonly principal: Principal;
  readonly view: CallerView;
  readonly unfilteredSources: NameSources;
  readonly parameter: RequestOrigin['parameter'];
}

/** The client of one request without a connection. It has a single exchange and ends with it. */
export class RequestClient implements RequestOrigin, ExchangeTable, ServedMessage {
  private resolveEnded: () => void = () => undefined;
  readonly whenEnded = new Promise<void>((resolve) => (this.resolveEnded = resolve));
  readonly isPersistent = false;
  readonly session: number;
  readonly principal: Principal;
  readonly layer: Registry;
  readonly view: CallerView;
  readonly allSources: NameSources;
  readonly parameter: RequestOrigin['parameter'];
  requestLogLevel: ProtocolLogLevel | undefined;
  private exchange: Exchange | undefined;

  constructor(
    private readonly pipe: ClientPipe,
    private readonly init: RequestClientInit,
    private readonly parts: ExchangeParts & FirstListWait,
    /** Called when the request sets its log level, which applies as long as the request is open. */
    private readonly onLevelChange: (client: RequestClient) => void,
  ) {
    this.session = init.layers.session;
    this.principal = init.principal;
    this.layer = init.layers.own;
    this.view = init.view;
    this.allSources = init.unfilteredSources;
    this.parameter = init.parameter;
  }

  get client(): this {
    return this;
  }

  get caller(): this {
    return this;
  }

  get toolClient(): CallingClient {
    const { session, isPersistent, principal, view, init } = this;
    return {
      session,
      isPersistent,
      principal,
      view,
      layers: init.layers,
      protocol: { era: 'modern' },
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

  onAnswer(id: RawId, line: OutgoingLine, from: Connection | undefined): void {
    this.exchange = undefined;
    this.pipe.send(line, from, false, id);
    this.resolveEnded();
  }

  send(line: OutgoingLine, from?: Connection, isShared?: boolean): void {
    this.pipe.send(line, from, isShared);
  }

  whenToolsReady(caller: Caller): Promise<unknown> | undefined {
    return whenStatelessListReady(caller, this.parts);
  }

  addRequestLogLevel(level: ProtocolLogLevel): void {
    this.requestLogLevel = level;
    this.onLevelChange(this);
  }

  /** Ends the request: a long-lived one immediately, any other with a failure if it is still open after `drainMs`. */
  async finish(drainMs: number): Promise<void> {
    const { exchange, parts } = this;
    if (exchange !== undefined && parts.modern.longLivedMethods.has(exchange.method)) this.abort(DEADLINE);
    else await waitAtMost(drainMs, this.whenEnded, parts.clock);
    this.abort(DEADLINE);
    this.close();
  }

  close(): void {
    this.abort(GONE);
    this.pipe.close();
    this.resolveEnded();
  }

  private abort(why: AbortReason): void {
    const { exchange } = this;
    this.exchange = undefined;
    exchange?.abort(why);
  }
}

/** Two views of a principal's servers: without the entries that guards hide, and with them. */
interface RequestView {
  readonly view: CallerView;
  readonly allSources: NameSources;
}

/** The views for requests without a connection. All requests of one principal in one layer share a view. */
export class RequestViews {
  private readonly viewsByLayer = new WeakMap<Registry, WeakMap<Principal, RequestView>>();
  private readonly exposure: SessionExposure;

  constructor(
    private readonly views: RestrictedViews,
    private readonly catalogs: Catalogs,
    exposures: Exposures,
    private readonly ownNames: OwnToolNames,
  ) {
    this.exposure = new SessionExposure(exposures);
  }

  viewFor(principal: Principal, layer: Registry): RequestView {
    const layerViews = this.viewsByLayer.get(layer) ?? new WeakMap<Principal, RequestView>();
    this.viewsByLayer.set(layer, layerViews);
    const requestView = layerViews.get(principal) ?? this.createView(principal, layer);
    layerViews.set(principal, requestView);
    return requestView;
  }

  private createView(principal: Principal, layer: Registry): RequestView {
    const { catalogs, ownNames } = this;
    const allSources = layerView(layer, catalogs, ownNames);
    // No exposure applies to the host and its commands, so their lists contain every tool.
    return {
      allSources,
      view: this.views.viewFor(principal, allSources, principal === HOST ? undefined : this.exposure),
    };
  }
}
