import { BoundedMap, type AllLimits } from '@mcpmux/kit';
import { resultLine } from '@mcpmux/wire';
import type { OwnedResource } from '../../catalog/resource-names.js';
import type { Connection } from '../../server/link/connection.js';
import { OwnRequestError } from '../../server/link/own-request.js';
import type { Upstream } from '../../server/upstream.js';
import type { Exchange } from '../request/exchange.js';

/** The maximum number of remembered cancellations of one client; the oldest are evicted. */
const MAX_WITHDRAWALS = 1000;

/** The maximum number of remembered resources without subscribers of one server; the oldest are evicted. */
const MAX_ENDED = 1000;

/** The clients' resource subscriptions. A server sees one subscription for each resource. */
export class Subscriptions {
  /** The subscribers by server and by the server's own URI. */
  private readonly holders = new Map<Upstream, Map<string, Set<object>>>();

  /**
   * The resources that no client subscribes to now, by server. A late update for one of them must not reach other
   * clients.
   */
  private readonly ended = new WeakMap<Upstream, BoundedMap<string, true>>();

  /** The number of cancelled subscriptions so far. */
  private givenUp = 0;

  /**
   * The number of the last cancellation for each resource, by client. A server's agreement that arrives after the
   * cancellation is ignored.
   */
  private readonly withdrawn = new WeakMap<object, BoundedMap<string, number>>();

  constructor(private readonly limits: Pick<AllLimits, 'listTimeoutMs'>) {}

  /**
   * Subscribes a client. If the server must be asked, calls `forward`, which must call `agreed` when the server agrees.
   * Otherwise answers the exchange.
   */
  subscribe(exchange: Exchange, resource: OwnedResource, forward: (agreed: () => void) => void): void {
    const { caller: subscriber } = exchange;
    if (this.holdersOf(resource).size === 0) return forward(this.onAgreement(subscriber, resource));
    this.add(subscriber, resource);
    exchange.respond(resultLine(exchange.id, '{}'));
  }

  /** Subscribes a client without answering a request. Resolves with true if the server has agreed. */
  async hold(subscriber: object, resource: OwnedResource): Promise<boolean> {
    if (this.holdersOf(resource).size === 0) {
      const agreed = this.onAgreement(subscriber, resource);
      try {
        await this.ask(resource.upstream, 'subscribe', resource.uri);
      } catch {
        return false;
      }
      agreed();
    } else this.add(subscriber, resource);
    return true;
  }

  /** Cancels a client's subscription without answering a request. */
  async letGo(subscriber: object, resource: OwnedResource): Promise<void> {
    if (!this.drop(subscriber, resource)) return;
    this.givenUp += 1;
    this.withdrawalsOf(subscriber).set(keyOf(resource), this.givenUp);
    await this.ask(resource.upstream, 'unsubscribe', resource.uri);
  }

  /**
   * Cancels a client's subscription. Calls `forward` if no other client has the subscription. Otherwise answers the
   * exchange.
   */
  unsubscribe(exchange: Exchange, resource: OwnedResource, forward: () => void): void {
    const { caller: subscriber } = exchange;
    if (!this.drop(subscriber, resource)) return exchange.respond(resultLine(exchange.id, '{}'));
    this.givenUp += 1;
    this.withdrawalsOf(subscriber).set(keyOf(resource), this.givenUp);
    forward();
  }

  /** Cancels the subscriptions that only a disconnected client had. */
  release(subscriber: object): void {
    for (const [upstream, uris] of this.holders) {
      for (const [uri, subscribers] of uris) {
        if (!subscribers.has(subscriber) || !this.drop(subscriber, { upstream, uri })) continue;
        this.givenUp += 1;
        this.ask(upstream, 'unsubscribe', uri).catch(() => undefined);
      }
    }
  }

  /** Forgets a removed server, whose resources cannot change. */
  forget(upstream: Upstream): void {
    this.holders.delete(upstream);
  }

  /**
   * Sends every subscription to a restarted server, and notifies the subscribers that they may have missed a change.
   */
  async renew(upstream: Upstream, announce: (uri: string) => void): Promise<void> {
    for (const uri of this.holders.get(upstream)?.keys() ?? []) {
      const holders = this.holdersOf({ upstream, uri });
      const isRefused = await this.isRefused({ upstream, uri });
      // Subscribers are notified even if the server refuses, because a client sees the resource's state when it reads
      // it again.
      announce(uri);
      if (isRefused && this.holdersOf({ upstream, uri }) === holders) this.dropAll({ upstream, uri });
    }
  }

  /** Sends every subscription to the second connection of a server. */
  async renewSecond(upstream: Upstream): Promise<void> {
    for (const uri of this.holders.get(upstream)?.keys() ?? [])
      await this.send(upstream.second.connection, 'subscribe', uri).catch(() => undefined);
  }

  /**
   * Returns the clients to notify of a change to `uri`. The URI "may be a sub-resource of the one that the client
   * actually subscribed to" (specification, resources). Without an exact match, subscriptions to a shorter path match.
   * Without those, all subscriptions match, unless a client has cancelled a subscription to `uri` or to a shorter path
   * of it.
   */
  interestedIn(upstream: Upstream, uri: string): ReadonlySet<object> {
    const uris = this.holders.get(upstream) ?? new Map<string, Set<object>>();
    const exact = uris.get(uri);
    if (exact !== undefined) return exact;
    const above = [...uris].filter(([subscribed]) => isBelow(uri, subscribed));
    const found = above.length > 0 || this.wasHeld(upstream, uri) ? above : [...uris];
    const interested = new Set<object>();
    for (const [, subscribers] of found) {
      for (const subscriber of subscribers) interested.add(subscriber);
    }
    return interested;
  }

  /** True if a client has cancelled a subscription to `uri` or to a shorter path of it. */
  wasHeld(upstream: Upstream, uri: string): boolean {
    return this.ended.get(upstream)?.has((ended) => ended === uri || isBelow(uri, ended)) ?? false;
  }

  private onAgreement(subscriber: object, resource: OwnedResource): () => void {
    const { givenUp } = this;
    const { upstream } = resource;
    const { connection } = upstream;
    return () => {
      // The client unsubscribed before the server agreed, and the server got that request after this one.
      if ((this.withdrawalsOf(subscriber).get(keyOf(resource)) ?? 0) > givenUp) return;
      this.add(subscriber, resource);
      // Another client may have cancelled this subscription after the server agreed, or the agreement may come from a
      // replaced connection. A second subscribe request does no harm.
      if (this.givenUp !== givenUp || upstream.connection !== connection) void this.renewOne(resource);
    };
  }

  private async renewOne(resource: OwnedResource): Promise<void> {
    if (await this.isRefused(resource)) this.dropAll(resource);
  }

  /** True if the server refuses to report changes to the resource. A missing response is not a refusal. */
  private async isRefused({ upstream, uri }: OwnedResource): Promise<boolean> {
    try {
      await this.ask(upstream, 'subscribe', uri);
      return false;
    } catch (error) {
      return error instanceof OwnRequestError && error.code !== undefined;
    }
  }

  private withdrawalsOf(subscriber: object): BoundedMap<string, number> {
    const known = this.withdrawn.get(subscriber) ?? new BoundedMap<string, number>(MAX_WITHDRAWALS);
    this.withdrawn.set(subscriber, known);
    return known;
  }

  private endedOf(upstream: Upstream): BoundedMap<string, true> {
    const known = this.ended.get(upstream) ?? new BoundedMap<string, true>(MAX_ENDED);
    this.ended.set(upstream, known);
    return known;
  }

  private add(subscriber: object, { upstream, uri }: OwnedResource): void {
    const uris = this.holders.get(upstream) ?? new Map<string, Set<object>>();
    const subscribers = uris.get(uri) ?? new Set();
    this.holders.set(upstream, uris.set(uri, subscribers.add(subscriber)));
  }

  private holdersOf({ upstream, uri }: OwnedResource): ReadonlySet<object> {
    return this.holders.get(upstream)?.get(uri) ?? new Set();
  }

  /** Removes all subscribers of a resource. The next subscribe request is forwarded to the server. */
  private dropAll({ upstream, uri }: OwnedResource): void {
    this.holders.get(upstream)?.delete(uri);
  }

  /** Removes a subscriber. Returns true if no other client has the subscription. */
  private drop(subscriber: object, { upstream, uri }: OwnedResource): boolean {
    const uris = this.holders.get(upstream);
    const subscribers = uris?.get(uri);
    subscribers?.delete(subscriber);
    if (subscribers !== undefined && subscribers.size > 0) return false;
    if (uris?.delete(uri) === true) this.endedOf(upstream).set(uri, true);
    if (uris?.size === 0) this.holders.delete(upstream);
    return true;
  }

  /** Sends a request to both connections of a server. Only the response on the first connection is used. */
  private async ask(upstream: Upstream, what: 'subscribe' | 'unsubscribe', uri: string): Promise<void> {
    const { connection, second } = upstream;
    void this.send(second.connection, what, uri).catch(() => undefined);
    await this.send(connection, what, uri);
  }

  private async send(
    connection: Connection | undefined,
    what: 'subscribe' | 'unsubscribe',
    uri: string,
  ): Promise<void> {
    await connection?.dialect[what](connection, uri, this.limits.listTimeoutMs);
  }
}

function keyOf({ upstream, uri }: OwnedResource): string {
  return `${upstream.name} ${uri}`;
}

function isBelow(uri: string, above: string): boolean {
  return uri.startsWith(above.endsWith('/') ? above : `${above}/`);
}
