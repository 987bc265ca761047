import { BoundedMap, type Limits } from '@mcpmux/kit';
import { resultLine } from '@mcpmux/wire';
import type { OwnedResource } from '../../catalog/resource-names.js';
import type { Connection } from '../../server/link/connection.js';
import { OwnRequestError } from '../../server/link/own-request.js';
import type { Upstream } from '../../server/upstream.js';
import type { Exchange } from '../request/exchange.js';

/** Subscriptions of one client that it gave up lately; the oldest give way. */
const MAX_WITHDRAWALS = 1000;

/** Resources of one server that nobody holds any more; the oldest give way. */
const MAX_ENDED = 1000;

/** Which clients want to know of changes of which resources. A server sees one subscription for each resource. */
export class Subscriptions {
  /** By server and by the URI that the server knows. */
  private readonly holders = new Map<Upstream, Map<string, Set<object>>>();

  /** By server: resources that nobody holds any more. An update of one that is still under way is of no other client. */
  private readonly ended = new WeakMap<Upstream, BoundedMap<string, true>>();

  /** How many subscriptions servers were asked to give up so far. */
  private givenUp = 0;

  /** Which of them was the last one of a client for a resource: an agreement that comes after it is of no use any more. */
  private readonly withdrawn = new WeakMap<object, BoundedMap<string, number>>();

  constructor(private readonly limits: Pick<Limits, 'listTimeoutMs'>) {}

  /** `forward` is used when the server has to be told; what it is given is to be called when the server has agreed. */
  subscribe(exchange: Exchange, resource: OwnedResource, forward: (agreed: () => void) => void): void {
    const { caller: subscriber } = exchange;
    if (this.holdersOf(resource).size === 0) return forward(this.onAgreement(subscriber, resource));
    this.add(subscriber, resource);
    exchange.respond(resultLine(exchange.id, '{}'));
  }

  /** A client wants to know of changes, and is not answered for it. Resolves with whether the server has agreed. */
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

  /** A client does not want to know any more. */
  async letGo(subscriber: object, resource: OwnedResource): Promise<void> {
    if (!this.drop(subscriber, resource)) return;
    this.givenUp += 1;
    this.withdrawalsOf(subscriber).set(keyOf(resource), this.givenUp);
    await this.ask(resource.upstream, 'unsubscribe', resource.uri);
  }

  /** `forward` is used when nobody else holds the subscription. */
  unsubscribe(exchange: Exchange, resource: OwnedResource, forward: () => void): void {
    const { caller: subscriber } = exchange;
    if (!this.drop(subscriber, resource)) return exchange.respond(resultLine(exchange.id, '{}'));
    this.givenUp += 1;
    this.withdrawalsOf(subscriber).set(keyOf(resource), this.givenUp);
    forward();
  }

  /** A client has gone: what only it held is given up. */
  release(subscriber: object): void {
    for (const [upstream, uris] of this.holders) {
      for (const [uri, subscribers] of uris) {
        if (!subscribers.has(subscriber) || !this.drop(subscriber, { upstream, uri })) continue;
        this.givenUp += 1;
        this.ask(upstream, 'unsubscribe', uri).catch(() => undefined);
      }
    }
  }

  /** A server has been removed: nothing of it can change any more. */
  forget(upstream: Upstream): void {
    this.holders.delete(upstream);
  }

  /** A server runs anew: it is told of every subscription, and its holders that something may have been missed. */
  async renew(upstream: Upstream, announce: (uri: string) => void): Promise<void> {
    for (const uri of this.holders.get(upstream)?.keys() ?? []) {
      const holders = this.holdersOf({ upstream, uri });
      const isRefused = await this.isRefused({ upstream, uri });
      // They hear of it all the same: whoever reads the resource again finds out what has become of it.
      announce(uri);
      if (isRefused && this.holdersOf({ upstream, uri }) === holders) this.dropAll({ upstream, uri });
    }
  }

  /** A second run of a server is told of every subscription. */
  async renewSecond(upstream: Upstream): Promise<void> {
    for (const uri of this.holders.get(upstream)?.keys() ?? [])
      await this.send(upstream.second.connection, 'subscribe', uri).catch(() => undefined);
  }

  /**
   * Returns the clients that get a change of `uri`. It "may be a sub-resource of the one that the client actually
   * subscribed to" (specification, resources), so after an exact match a longer path counts, and then any subscription
   * there is, unless a client has given up a subscription to `uri`, or to a shorter path of it.
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

  /** True if a client has given up a subscription to `uri`, or to a shorter path of it. */
  wasHeld(upstream: Upstream, uri: string): boolean {
    return this.ended.get(upstream)?.has((ended) => ended === uri || isBelow(uri, ended)) ?? false;
  }

  private onAgreement(subscriber: object, resource: OwnedResource): () => void {
    const { givenUp } = this;
    const { upstream } = resource;
    const { connection } = upstream;
    return () => {
      // The client has changed its mind before the server agreed, and the server was told after it.
      if ((this.withdrawalsOf(subscriber).get(keyOf(resource)) ?? 0) > givenUp) return;
      this.add(subscriber, resource);
      // Perhaps this very one, for another client, and after the server had agreed; or another run has taken over, and
      // the run before has agreed to what it will not keep. Asking twice does no harm.
      if (this.givenUp !== givenUp || upstream.connection !== connection) void this.renewOne(resource);
    };
  }

  private async renewOne(resource: OwnedResource): Promise<void> {
    if (await this.isRefused(resource)) this.dropAll(resource);
  }

  /** True if the server refuses to report changes of the resource. A missing answer is no refusal. */
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

  /** Nobody is told any more: the next client that subscribes is brought to the server. */
  private dropAll({ upstream, uri }: OwnedResource): void {
    this.holders.get(upstream)?.delete(uri);
  }

  /** Returns true unless others hold the subscription still. */
  private drop(subscriber: object, { upstream, uri }: OwnedResource): boolean {
    const uris = this.holders.get(upstream);
    const subscribers = uris?.get(uri);
    subscribers?.delete(subscriber);
    if (subscribers !== undefined && subscribers.size > 0) return false;
    if (uris?.delete(uri) === true) this.endedOf(upstream).set(uri, true);
    if (uris?.size === 0) this.holders.delete(upstream);
    return true;
  }

  /** The first run of the server decides; a second one is told, too. */
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
