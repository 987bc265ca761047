import { randomUUID } from 'node:crypto';

import type { Kit, Timer } from '@mcpmux/kit';

import type { ExchangeTable, IncomingRequest } from '../request/incoming-request.js';
import type { Envelope } from './envelope.js';
import { StateSeal } from './request-state.js';

/** A request that was answered with questions and waits for the retry with the client's answers. */
export interface ParkedRequest {
  /** The digest of the request. A retry must have the same digest. */
  readonly digest: string;
  /** The client's connection, or its principal if it has no connection. */
  readonly group: unknown;
  readonly principalId: string;
  /** The connection to the server that is working on the request. */
  readonly serverConnection?: object | undefined;
  resume(host: ExchangeTable, incoming: IncomingRequest, envelope: Envelope): void;
  /** Ends the request, because a retry would no longer be accepted. */
  expire(): void;
}

interface ParkedEntry {
  readonly request: ParkedRequest;
  readonly timer: Timer;
  /** The request's connection at parking time. The request may change its own, but the counts must still match. */
  readonly serverConnection: object | undefined;
}

/** The reason for refusing a state that this mux has not sealed. */
export const NOT_ISSUED_REASON = 'mcpmux has not made it';
const foreignStateReason = (expires: number): string =>
  Date.now() > expires ? 'it has expired' : 'the mcpmux that gave it out is another one, or has ended';
const UNAVAILABLE_REASON = 'it was used before, its time is over, or too many requests were parked after it';

type ParkingLimit = 'parkMs' | 'maxParkedCalls' | 'maxParkedPerClient' | 'maxParkedPerServer';

/** The parked requests of one mux, oldest first. Each is removed by its retry, its timer, or eviction. */
export class ParkingLot {
  private readonly entries = new Map<number, ParkedEntry>();
  /** The number of parked requests per group and per server connection. */
  private readonly counts = new Map<unknown, number>();
  private cachedMuxId: string | undefined;
  private lastParkedId = 0;

  constructor(
    private readonly kit: Pick<Kit<ParkingLimit>, 'clock' | 'limits'>,
    private readonly seal = new StateSeal(),
  ) {}

  /**
   * The id of this mux. Only the mux that parked a request can continue it, even if others share its key. The id is
   * created on first use, because loading `node:crypto` would delay startup by milliseconds.
   */
  private get muxId(): string {
    return (this.cachedMuxId ??= randomUUID());
  }

  get size(): number {
    return this.entries.size;
  }

  /** Parks a request. Returns the state that identifies its one retry. */
  park(request: ParkedRequest): string {
    const { clock, limits } = this.kit;
    this.lastParkedId += 1;
    const id = this.lastParkedId;
    const { group, serverConnection, principalId } = request;
    const timer = clock.schedule(() => this.remove(id)?.expire(), limits.parkMs);
    this.entries.set(id, { request, timer, serverConnection });
    this.changeCount(group, 1);
    this.changeCount(serverConnection, 1);
    this.evict(group, serverConnection);
    const expires = Date.now() + limits.parkMs;
    return this.seal.seal({ mux: this.muxId, suspension: id, expires, principal: principalId });
  }

  /** Returns which mux has sealed a state, or undefined if the state was not sealed with this key. */
  issuerOf(state: string): 'this mux' | 'another mux' | undefined {
    const openedState = this.seal.open(state);
    return openedState && (openedState.mux === this.muxId ? 'this mux' : 'another mux');
  }

  /** Removes and returns the parked request that a retry continues, or returns why the retry is refused. */
  take(
    state: string,
    retry: Pick<ParkedRequest, 'group' | 'principalId' | 'digest'>,
  ): ParkedRequest | { readonly reason: string } {
    const openedState = this.seal.open(state);
    if (openedState === undefined) return { reason: NOT_ISSUED_REASON };
    if (openedState.principal !== retry.principalId) return { reason: 'it was given to another client' };
    // Only the timer expires this mux's own states, so that system sleep and clock changes do no harm.
    if (openedState.mux !== this.muxId) return { reason: foreignStateReason(openedState.expires) };
    const entry = this.entries.get(openedState.suspension);
    if (entry === undefined) return { reason: UNAVAILABLE_REASON };
    if (entry.request.group !== retry.group) return { reason: 'it was given to another client' };
    if (entry.request.digest !== retry.digest) return { reason: 'it belongs to a request with other params' };
    this.remove(openedState.suspension);
    return entry.request;
  }

  /** Expires the parked requests of a disconnected client, which can no longer retry them. */
  expireGroup(group: unknown): void {
    if (!this.counts.has(group)) return;
    for (const [id, { request }] of this.entries) if (request.group === group) this.remove(id)?.expire();
  }

  expireAll(): void {
    for (const id of this.entries.keys()) this.remove(id)?.expire();
  }

  private evict(group: unknown, server: object | undefined): void {
    const { maxParkedCalls, maxParkedPerClient, maxParkedPerServer } = this.kit.limits;
    if ((this.counts.get(group) ?? 0) > maxParkedPerClient)
      this.expireOldest(({ request }) => request.group === group);
    if ((this.counts.get(server) ?? 0) > maxParkedPerServer)
      this.expireOldest((entry) => entry.serverConnection === server);
    if (this.entries.size > maxParkedCalls) this.expireOldest(() => true);
  }

  private expireOldest(matches: (entry: ParkedEntry) => boolean): void {
    for (const [id, entry] of this.entries) if (matches(entry)) return this.remove(id)?.expire();
  }

  private remove(id: number): ParkedRequest | undefined {
    const entry = this.entries.get(id);
    if (entry === undefined) return undefined;
    this.entries.delete(id);
    entry.timer.cancel();
    const { request, serverConnection } = entry;
    this.changeCount(request.group, -1);
    this.changeCount(serverConnection, -1);
    return request;
  }

  private changeCount(key: unknown, change: 1 | -1): void {
    if (key === undefined) return;
    const remaining = (this.counts.get(key) ?? 0) + change;
    if (remaining === 0) this.counts.delete(key);
    else this.counts.set(key, remaining);
  }
}
