import { randomUUID } from 'node:crypto';

import type { Clock, Limits, Timer } from '@mcpmux/kit';

import type { ExchangeTable, IncomingRequest } from '../session/stateless-requests.js';
import type { Envelope } from './envelope.js';
import { StateSeal } from './request-state.js';

/** A request that was answered with questions, and goes on with the retry that brings the answers. */
export interface ParkedRequest {
  /** Of the request: the retry has the same. */
  readonly digest: string;
  /** The client, or for requests without a connection its principal. */
  readonly group: unknown;
  readonly principal: string;
  /** The run of a server that is at work meanwhile. */
  readonly server?: object | undefined;
  /** The retry has come. */
  resume(host: ExchangeTable, incoming: IncomingRequest, envelope: Envelope): void;
  /** No retry will be accepted any more. */
  expire(): void;
}

interface Place {
  readonly suspended: ParkedRequest;
  readonly timer: Timer;
  /** As it was when the request was suspended. */
  readonly server: object | undefined;
}

/** Why a state is refused that this mux has not sealed. */
export const NOT_MADE = 'mcpmux has not made it';
const ofAnother = (expires: number): string =>
  Date.now() > expires ? 'it has expired' : 'the mcpmux that gave it out is another one, or has ended';
const GONE = 'it was used before, its time is over, or too many requests were parked after it';

/** The dependencies of a {@link ParkingLot}. */
export interface ParkingParts {
  readonly clock: Clock;
  readonly limits: Pick<Limits, 'parkMs' | 'maxParkedCalls' | 'maxParkedPerClient' | 'maxParkedPerServer'>;
}

/** The suspended requests of one mux, oldest first. Each leaves by its retry, its timer, or when there are too many. */
export class ParkingLot {
  private readonly places = new Map<number, Place>();
  /** Suspended requests by group, and by server. */
  private readonly counts = new Map<unknown, number>();
  /** Of muxes that share a key, only the one that keeps a request can go on with it. */
  private readonly mux = randomUUID();
  private issued = 0;

  constructor(
    private readonly parts: ParkingParts,
    private readonly seal = new StateSeal(),
  ) {}

  get size(): number {
    return this.places.size;
  }

  /** Parks a request. Returns the state by which its retry is recognized, good for one retry. */
  park(suspended: ParkedRequest): string {
    const { clock, limits } = this.parts;
    this.issued += 1;
    const id = this.issued;
    const { group, server, principal } = suspended;
    const timer = clock.schedule(() => this.leave(id)?.expire(), limits.parkMs);
    this.places.set(id, { suspended, timer, server });
    this.count(group, 1);
    this.count(server, 1);
    this.evict(group, server);
    const expires = Date.now() + limits.parkMs;
    return this.seal.seal({ mux: this.mux, suspension: id, expires, principal });
  }

  /** Where the request of a state waits; undefined for a state that no mux with the key of this one has made. */
  keeper(state: string): 'this mux' | 'another mux' | undefined {
    const read = this.seal.open(state);
    return read && (read.mux === this.mux ? 'this mux' : 'another mux');
  }

  /** The suspended request that a retry is for, which leaves the lot; or why there is none. */
  take(
    state: string,
    by: Pick<ParkedRequest, 'group' | 'principal' | 'digest'>,
  ): ParkedRequest | { readonly reason: string } {
    const read = this.seal.open(state);
    if (read === undefined) return { reason: NOT_MADE };
    if (read.principal !== by.principal) return { reason: 'it was given to another client' };
    // The timer decides here: a changed clock of the machine, or its sleep, must not.
    if (read.mux !== this.mux) return { reason: ofAnother(read.expires) };
    const place = this.places.get(read.suspension);
    if (place === undefined) return { reason: GONE };
    if (place.suspended.group !== by.group) return { reason: 'it was given to another client' };
    if (place.suspended.digest !== by.digest) return { reason: 'it belongs to a request with other params' };
    this.leave(read.suspension);
    return place.suspended;
  }

  /** A client has gone: nobody will retry. */
  expireOf(group: unknown): void {
    if (!this.counts.has(group)) return;
    for (const [id, { suspended }] of this.places) if (suspended.group === group) this.leave(id)?.expire();
  }

  expireAll(): void {
    for (const id of this.places.keys()) this.leave(id)?.expire();
  }

  private evict(group: unknown, server: object | undefined): void {
    const { maxParkedCalls, maxParkedPerClient, maxParkedPerServer } = this.parts.limits;
    if ((this.counts.get(group) ?? 0) > maxParkedPerClient)
      this.expireOldest(({ suspended }) => suspended.group === group);
    if ((this.counts.get(server) ?? 0) > maxParkedPerServer)
      this.expireOldest((place) => place.server === server);
    if (this.places.size > maxParkedCalls) this.expireOldest(() => true);
  }

  private expireOldest(matches: (place: Place) => boolean): void {
    for (const [id, place] of this.places) if (matches(place)) return this.leave(id)?.expire();
  }

  private leave(id: number): ParkedRequest | undefined {
    const place = this.places.get(id);
    if (place === undefined) return undefined;
    this.places.delete(id);
    place.timer.cancel();
    const { suspended, server } = place;
    this.count(suspended.group, -1);
    this.count(server, -1);
    return suspended;
  }

  private count(of: unknown, change: 1 | -1): void {
    if (of === undefined) return;
    const left = (this.counts.get(of) ?? 0) + change;
    if (left === 0) this.counts.delete(of);
    else this.counts.set(of, left);
  }
}
