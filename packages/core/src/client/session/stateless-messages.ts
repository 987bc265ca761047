import { MessageReader, readId, type RenewedSet } from '@mcpmux/wire';
import { LOCAL, type Principal, HOST } from '../../guards/principal.js';
import type { SessionLayers } from '../../server/registry/layers.js';
import type { Caller } from '../caller/caller.js';
import { CLIENT_PATHS } from '../caller/client-paths.js';
import {
  type ClientPipe,
  type Reply,
  serveStateless,
  type Patience,
  type ServedMessage,
} from './client-pipe.js';
import type { ExchangeParts } from './exchanges.js';
import type { FirstListWait } from './first-list.js';
import { RequestClient } from './request-client.js';
import type { Session } from './session.js';
import type { IncomingRequest } from '../request/incoming-request.js';
import type { Catalogs } from '../../catalog/catalogs.js';
import type { Exposures } from '../../catalog/exposure/exposures.js';
import { SessionExposure } from '../../catalog/exposure/session-exposure.js';
import type { Registry } from '../../server/registry/registry.js';
import {
  layerView,
  type CallerView,
  type OwnToolNames,
  type RestrictedViews,
  type Sources,
} from '../caller/caller-view.js';

/** The caller of one message without a connection. */
export interface StatelessCaller extends Patience {
  /** `local` when absent. */
  readonly principal?: Principal | undefined;
  readonly parameter?: Caller['parameter'];
}

/** The owner of {@link StatelessMessages}. */
interface StatelessOwner {
  /** Opens a session for one message. */
  readonly session: (pipe: ClientPipe, layers: SessionLayers, caller: StatelessCaller) => Session;
  /** Called when a request has changed the log level that its client wants. */
  readonly levelChanged: (client: RequestClient) => void;
}

/** The messages without a connection. A request that describes its client counts as a separate client. */
export class StatelessMessages {
  private readonly messages = new MessageReader(CLIENT_PATHS);

  /**
   * @param requests the clients of open requests that describe their client
   */
  constructor(
    private readonly parts: ExchangeParts & FirstListWait,
    private readonly requests: RenewedSet<RequestClient>,
    private readonly views: RequestViews,
    private readonly owner: StatelessOwner,
  ) {}

  /** Serves one message. Resolves when the message needs no further answer. */
  handle(line: Buffer, reply: Reply, layers: SessionLayers, caller: StatelessCaller): Promise<void> {
    const incoming = this.describedRequest(line);
    return serveStateless(reply, caller, (pipe) =>
      incoming === undefined
        ? this.inSession(line, pipe, layers, caller)
        : this.requestClient(incoming, pipe, layers, caller),
    );
  }

  /** Ends all open requests. A request that is still open after `drainMs` gets a failure. */
  async finish(drainMs: number): Promise<void> {
    await Promise.all([...this.requests].map((client) => client.finish(drainMs)));
  }

  /** Returns a valid request that describes its client; undefined for any other message. */
  private describedRequest(line: Buffer): IncomingRequest | undefined {
    const request = this.messages.read(line);
    if (request.kind !== 'request' || !request.versioned || !this.parts.modern.claims(request))
      return undefined;
    const read = readId(line, request.id);
    return 'problem' in read ? undefined : { id: read.id, line, request };
  }

  /** Opens a session for any other message. The session ends with the message. */
  private inSession(
    line: Buffer,
    pipe: ClientPipe,
    layers: SessionLayers,
    caller: StatelessCaller,
  ): ServedMessage {
    const session = this.owner.session(pipe, layers, caller);
    const start = (): void => session.decoder.line(line);
    return {
      get ended() {
        return Promise.race([session.exchanges.whenIdle(), session.closed]);
      },
      start,
      finish: session.finish.bind(session),
      close: session.close.bind(session),
    };
  }

  private requestClient(
    incoming: IncomingRequest,
    pipe: ClientPipe,
    layers: SessionLayers,
    { principal = LOCAL, parameter }: StatelessCaller,
  ): RequestClient {
    const { requests, views } = this;
    const { levelChanged } = this.owner;
    const { view, whole } = views.of(principal, layers.own);
    const init = { incoming, layers, principal, view, whole, parameter };
    const client = new RequestClient(pipe, init, this.parts, levelChanged);
    requests.add(client);
    void client.ended.then(() => {
      requests.delete(client);
      if (client.meanwhileLevel !== undefined) levelChanged(client);
    });
    return client;
  }
}

/** The servers that a principal sees, with and without guards. */
interface RequestView {
  readonly view: CallerView;
  readonly whole: Sources;
}

/** The views of requests without a connection. All requests of a principal in one layer share a view. */
export class RequestViews {
  private readonly known = new WeakMap<Registry, WeakMap<Principal, RequestView>>();
  private readonly exposure: SessionExposure;

  constructor(
    private readonly views: RestrictedViews,
    private readonly catalogs: Catalogs,
    exposures: Exposures,
    private readonly ownNames: OwnToolNames,
  ) {
    this.exposure = new SessionExposure(exposures);
  }

  of(principal: Principal, layer: Registry): RequestView {
    const ofLayer = this.known.get(layer) ?? new WeakMap<Principal, RequestView>();
    this.known.set(layer, ofLayer);
    const known = ofLayer.get(principal) ?? this.make(principal, layer);
    ofLayer.set(principal, known);
    return known;
  }

  private make(principal: Principal, layer: Registry): RequestView {
    const { catalogs, ownNames } = this;
    const whole = layerView(layer, catalogs, ownNames);
    // The lists of the host and its commands contain every tool.
    return { whole, view: this.views.of(principal, whole, principal === HOST ? undefined : this.exposure) };
  }
}
