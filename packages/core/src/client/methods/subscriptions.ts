import { BoundedMap, type AllLimits } from '@mcpmux/kit';
import { resultLine } from '@mcpmux/wire';
import type { OwnedResource } from '../../catalog/resource-names.js';
import type { Connection } from '../../server/link/connection.js';
import { OwnRequestError } from '../../server/link/own-request.js';
import type { Upstream } from '../../server/upstream.js';
import type { Exchange } from '../request/exchange.js';

/** The maximum number of remembered cancellations per client; the oldest are evicted. */
const MAX_WITHDRAWALS = 1000;

/** The maximum number of remembered resources without subscribers per server; the oldest are evicted. */
const MAX_ENDED_URIS = 1000;

/** The clients' resource subscriptions. A server gets one subscription per resource, however many clients subscribe. */
export class Subscriptions {
  /** The subscribers of each resource, by server and then by the server's own URI for the resource. */
  private readonly subscribersByUpstream = new Map<Upstream, Map<string, Set<object>>>();

  /** The resources that have lost their last subscriber, by server. A late update must not reach other clients. */
  private readonly endedUris = new WeakMap<Upstream, BoundedMap<string, true>>();

  /** Counts the cancellations sent to servers, so that cancellations and subscribe requests can be ordered. */
  private withdrawalCount = 0;

  /** The {@link withdrawalCount} when a client last cancelled a resource. It voids earlier subscribe requests. */
  private readonly withdrawals = new WeakMap<object, BoundedMap<string, number>>();

  constructor(private readonly limits: Pick<AllLimits, 'listTimeoutMs'>) {}

  /**
   * Subscribes a client to a resource. If the resource has no subscribers yet, calls `forward`, which must call
   * `confirm` once the server has agreed. Otherwise, answers the exchange immediately.
   */
  subscribe(exchange: Exchange, resource: OwnedResource, forward: (confirm: () => void) => void): void {
    const { caller: subscriber } = exchange;
    if (this.subscribersOf(resource).size === 0)
      return forward(this.confirmationHandler(subscriber, resource));
    this.add(subscriber, resource);
    exchange.respond(resultLine(exchange.id, '{}'));
  }

  /** Subscribes a client without answering a request. Resolves to false if the server's subscribe request fails. */
  async acquire(subscriber: object, resource: OwnedResource): Promise<boolean> {
    if (this.subscribersOf(resource).size === 0) {
      const confirm = this.confirmationHandler(subscriber, resource);
      try {
        await this.askBoth(resource.upstream, 'subscribe', resource.uri);
      } catch {
        return false;
      }
      confirm();
    } else this.add(subscriber, resource);
    return true;
  }

  /** Cancels a client's subscription without answering a request. */
  async release(subscriber: object, resource: OwnedResource): Promise<void> {
    if (!this.removeSubscriber(subscriber, resource)) return;
    this.withdrawalCount += 1;
    this.withdrawalsOf(subscriber).set(keyOf(resource), this.withdrawalCount);
    await this.askBoth(resource.upstream, 'unsubscribe', resource.uri);
  }

  /** Cancels a client's subscription. Calls `forward` if it was the resource's last; otherwise answers the exchange. */
  unsubscribe(exchange: Exchange, resource: OwnedResource, forward: () => void): void {
    const { caller: subscriber } = exchange;
    if (!this.removeSubscriber(subscriber, resource)) return exchange.respond(resultLine(exchange.id, '{}'));
    this.withdrawalCount += 1;
    this.withdrawalsOf(subscriber).set(keyOf(resource), this.withdrawalCount);
    forward();
  }

  /** Removes a disconnected client. Cancels the subscriptions that only this client had. */
  releaseAll(subscriber: object): void {
    for (const [upstream, uris] of this.subscribersByUpstream) {
      for (const [uri, subscribers] of uris) {
        if (!subscribers.has(subscriber) || !this.removeSubscriber(subscriber, { upstream, uri })) continue;
        this.withdrawalCount += 1;
        this.askBoth(upstream, 'unsubscribe', uri).catch(() => undefined);
      }
    }
  }

  /** Forgets a removed server's subscriptions. */
  forget(upstream: Upstream): void {
    this.subscribersByUpstream.delete(upstream);
  }

  /**
   * Renews every subscription after a server's restart, and notifies subscribers that they may have missed a change.
   */
  async renew(upstream: Upstream, announce: (uri: string) => void): Promise<void> {
    for (const uri of this.subscribersByUpstream.get(upstream)?.keys() ?? []) {
      const subscribers = this.subscribersOf({ upstream, uri });
      const isRefused = await this.isRefused({ upstream, uri });
      // Subscribers are notified even if the server refuses, so that they can read the resource's current state.
      announce(uri);
      if (isRefused && this.subscribersOf({ upstream, uri }) === subscribers)
        this.removeSubscribers({ upstream, uri });
    }
  }

  /** Repeats a server's subscribe requests over its second connection. */
  async renewOnSecondConnection(upstream: Upstream): Promise<void> {
    for (const uri of this.subscribersByUpstream.get(upstream)?.keys() ?? [])
      await this.requestFrom(upstream.secondRun.connection, 'subscribe', uri).catch(() => undefined);
  }

  /**
   * Returns the clients to notify of a change to `uri`: its own subscribers, or else its ancestors' subscribers,
   * because it "may be a sub-resource of the one that the client actually subscribed to" (specification, resources). If
   * neither exist, returns all of the server's subscribers, unless `uri` or an ancestor has lost its last subscriber.
   */
  subscribersToNotify(upstream: Upstream, uri: string): ReadonlySet<object> {
    const uris = this.subscribersByUpstream.get(upstream) ?? new Map<string, Set<object>>();
    const exactSubscribers = uris.get(uri);
    if (exactSubscribers !== undefined) return exactSubscribers;
    const ancestors = [...uris].filter(([subscribed]) => isBelow(uri, subscribed));
    const matchingEntries = ancestors.length > 0 || this.wasSubscribed(upstream, uri) ? ancestors : [...uris];
    const subscribers = new Set<object>();
    for (const [, uriSubscribers] of matchingEntries) {
      for (const subscriber of uriSubscribers) subscribers.add(subscriber);
    }
    return subscribers;
  }

  /** True if `uri` or one of its ancestors has lost its last subscriber. */
  wasSubscribed(upstream: Upstream, uri: string): boolean {
    return (
      this.endedUris.get(upstream)?.has((endedUri) => endedUri === uri || isBelow(uri, endedUri)) ?? false
    );
  }

  private confirmationHandler(subscriber: object, resource: OwnedResource): () => void {
    const { withdrawalCount } = this;
    const { upstream } = resource;
    const { connection } = upstream;
    return () => {
      // The client has unsubscribed in the meantime, and the server got the cancellation after the subscribe request.
      if ((this.withdrawalsOf(subscriber).get(keyOf(resource)) ?? 0) > withdrawalCount) return;
      this.add(subscriber, resource);
      // Another client may have cancelled this subscription after the server agreed, or the agreement may have come
      // from a replaced connection. A repeated subscribe request is harmless.
      if (this.withdrawalCount !== withdrawalCount || upstream.connection !== connection)
        void this.renewOne(resource);
    };
  }

  private async renewOne(resource: OwnedResource): Promise<void> {
    if (await this.isRefused(resource)) this.removeSubscribers(resource);
  }

  /**
   * Repeats the subscribe request. Resolves to true if the server rejects it; a missing response is not a rejection.
   */
  private async isRefused({ upstream, uri }: OwnedResource): Promise<boolean> {
    try {
      await this.askBoth(upstream, 'subscribe', uri);
      return false;
    } catch (error) {
      return error instanceof OwnRequestError && error.code !== undefined;
    }
  }

  private withdrawalsOf(subscriber: object): BoundedMap<string, number> {
    const withdrawals = this.withdrawals.get(subscriber) ?? new BoundedMap<string, number>(MAX_WITHDRAWALS);
    this.withdrawals.set(subscriber, withdrawals);
    return withdrawals;
  }

  private endedUrisOf(upstream: Upstream): BoundedMap<string, true> {
    const endedUris = this.endedUris.get(upstream) ?? new BoundedMap<string, true>(MAX_ENDED_URIS);
    this.endedUris.set(upstream, endedUris);
    return endedUris;
  }

  private add(subscriber: object, { upstream, uri }: OwnedResource): void {
    const uris = this.subscribersByUpstream.get(upstream) ?? new Map<string, Set<object>>();
    const subscribers = uris.get(uri) ?? new Set();
    this.subscribersByUpstream.set(upstream, uris.set(uri, subscribers.add(subscriber)));
  }

  private subscribersOf({ upstream, uri }: OwnedResource): ReadonlySet<object> {
    return this.subscribersByUpstream.get(upstream)?.get(uri) ?? new Set();
  }

  /** Removes all subscribers of a resource, so that the next subscribe request is forwarded to the server. */
  private removeSubscribers({ upstream, uri }: OwnedResource): void {
    this.subscribersByUpstream.get(upstream)?.delete(uri);
  }

  /** Removes a subscriber. Returns true if the resource has no other subscribers. */
  private removeSubscriber(subscriber: object, { upstream, uri }: OwnedResource): boolean {
    const uris = this.subscribersByUpstream.get(upstream);
    const subscribers = uris?.get(uri);
    subscribers?.delete(subscriber);
    if (subscribers !== undefined && subscribers.size > 0) return false;
    if (uris?.delete(uri) === true) this.endedUrisOf(upstream).set(uri, true);
    if (uris?.size === 0) this.subscribersByUpstream.delete(upstream);
    return true;
  }

  /** Sends a request over both of a server's connections. The response on the second connection is ignored. */
  private async askBoth(upstream: Upstream, action: 'subscribe' | 'unsubscribe', uri: string): Promise<void> {
    const { connection, secondRun } = upstream;
    void this.requestFrom(secondRun.connection, action, uri).catch(() => undefined);
    await this.requestFrom(connection, action, uri);
  }

  private async requestFrom(
    connection: Connection | undefined,
    action: 'subscribe' | 'unsubscribe',
    uri: string,
  ): Promise<void> {
    await connection?.dialect[action](connection, uri, this.limits.listTimeoutMs);
  }
}

function keyOf({ upstream, uri }: OwnedResource): string {
  return `${upstream.name} ${uri}`;
}

function isBelow(uri: string, ancestor: string): boolean {
  return uri.startsWith(ancestor.endsWith('/') ? ancestor : `${ancestor}/`);
}
