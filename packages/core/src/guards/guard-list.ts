import { BoundedMap } from '@mcpmux/kit';

import type { Guard, GuardAnswer, GuardChange, GuardContext, GuardHandler } from './guard.js';
import { HOST, type Principal } from './principal.js';

const NONE: readonly GuardHandler[] = [];
/** Maximum number of names of clients that are remembered. */
const MAX_NAMES = 1000;

/** The guards of a mux, outermost first. */
export class GuardList {
  /** False if no guard handles requests. Then the guards can be skipped. */
  hasHandlers = false;
  /** True if a guard restricts visibility. */
  hides = false;
  /** The own tools that guards answer for every client. */
  guarded: ReadonlySet<string> = new Set();
  /** Returns the own tools that guards answer for a client; undefined if that is the same for all clients. */
  guardedFor: ((client: string | undefined) => ReadonlySet<string>) | undefined;
  /** Changes when the visible entries may have changed. */
  version = 0;
  private guards: readonly Guard[] = [];
  private byMethod: ReadonlyMap<string, readonly GuardHandler[]> = new Map();
  private ofAll: readonly GuardHandler[] = NONE;
  private filters: readonly NonNullable<Guard['shows']>[] = [];
  /** The names of the clients that have introduced themselves. */
  private readonly met = new BoundedMap<string, true>(MAX_NAMES);

  /** @param unguarded methods that no guard sees */
  constructor(private readonly unguarded: readonly string[]) {}

  /** Adds a guard inside the existing guards. Returns the function that removes it again. */
  use(guard: Guard): () => void {
    // The guard is copied because the same guard may be added twice.
    const handle = handlerFor(guard);
    const added = { ...guard, ...(handle && { handle }) };
    const all = [...this.guards, added];
    const isInnermost = (one: Guard): boolean => one.isInnermost === true;
    this.become([...all.filter((one) => !isInnermost(one)), ...all.filter(isInnermost)]);
    return () => this.become(this.guards.filter((other) => other !== added));
  }

  /**
   * A client has introduced itself. A guard for some clients handles nothing before one of them is met, so that requests
   * of other clients do not pass through it.
   */
  meet(client: string | undefined): void {
    if (client === undefined || this.met.get(client) === true) return;
    this.met.set(client, true);
    if (this.guards.some(({ clients }) => clients?.(client) === true)) this.become(this.guards);
  }

  /** Returns the handlers that requests of a method pass, outermost first. */
  of(method: string): readonly GuardHandler[] {
    return this.byMethod.get(method) ?? this.ofAll;
  }

  /**
   * True if a tool of a server, or without a tool its other entries, are visible to a principal. Everything is visible
   * to the host. A filter that throws hides the entry, so a defective filter exposes nothing.
   */
  shows(principal: Principal, server: string, tool?: string): boolean {
    try {
      return principal === HOST || this.filters.every((shows) => shows(principal, server, tool));
    } catch {
      return false;
    }
  }

  private become(guards: readonly Guard[]): void {
    this.guards = guards;
    this.version += 1;
    const handling = guards.filter((guard) => guard.handle !== undefined && this.isAwake(guard));
    const of = (method?: string): readonly GuardHandler[] =>
      handling.flatMap(({ methods, handle }) => {
        const isMeant = methods === undefined || (method !== undefined && methods.includes(method));
        return isMeant && handle !== undefined ? [handle] : [];
      });
    const named = new Set(handling.flatMap(({ methods = [] }) => methods));
    this.byMethod = new Map<string, readonly GuardHandler[]>([
      ...[...named].map((method) => [method, of(method)] as const),
      ...this.unguarded.map((method) => [method, NONE] as const),
    ]);
    this.ofAll = of();
    this.hasHandlers = handling.length > 0;
    this.filters = guards.flatMap(({ shows }) => (shows === undefined ? [] : [shows]));
    this.hides = this.filters.length > 0;
    const ofAll = guards.filter(({ clients }) => clients === undefined);
    this.guarded = new Set(ofAll.flatMap(({ answers = [] }) => answers));
    this.guardedFor = this.answeredFor(guards.filter((guard) => guard.clients && this.isAwake(guard)));
  }

  private isAwake({ clients }: Guard): boolean {
    return clients === undefined || this.met.has(clients);
  }

  private answeredFor(ofSome: readonly Guard[]): GuardList['guardedFor'] {
    if (ofSome.length === 0) return undefined;
    return (client) => {
      const meant = ofSome.filter(({ clients }) => clients?.(client) === true);
      return new Set([...this.guarded, ...meant.flatMap(({ answers = [] }) => answers)]);
    };
  }
}

/** Returns the handler of a guard, which passes on the requests of clients that the guard is not for. */
function handlerFor({ clients, handle }: Guard): GuardHandler | undefined {
  if (clients === undefined || handle === undefined) return handle;
  return (context, next) => (clients(context.client) ? handle(context, next) : next());
}

/** The work inside all guards. */
export interface GuardedWork<Context extends GuardContext> {
  /**
   * Returns the request with a guard's change, for the guards inside.
   *
   * @throws Error with a message that states why the change is not possible
   */
  readonly changed: (context: Context, change: GuardChange) => Context;
  readonly carryOut: (context: Context) => Promise<GuardAnswer>;
}

/**
 * Runs a request through guards, of which the first is outermost, and then carries out the request, at most once.
 * Rejects with the error of the outermost guard.
 */
export function runGuards<Context extends GuardContext>(
  guards: readonly GuardHandler[],
  context: Context,
  { changed, carryOut }: GuardedWork<Context>,
): Promise<GuardAnswer> {
  const enter = async (place: number, seen: Context): Promise<GuardAnswer> => {
    const guard = guards[place];
    if (guard === undefined) return carryOut(seen);
    let inner: Promise<GuardAnswer> | undefined;
    const pass = async (change?: GuardChange): Promise<GuardAnswer> =>
      enter(place + 1, change === undefined ? seen : changed(seen, change));
    const next = (change?: GuardChange): Promise<GuardAnswer> => {
      if (inner !== undefined) return inner;
      inner = pass(change);
      // A guard that has answered without awaiting `next` does not handle the rejection.
      inner.catch(() => undefined);
      return inner;
    };
    return guard(seen, next);
  };
  return enter(0, context);
}
