import { isSessionInstance, isSessionTemplate } from '../upstream/config/isolation.js';
import { withoutResources } from '../upstream/lists/server-lists.js';
import type { Scope } from '../upstream/config/scope.js';
import type { Upstream } from '../upstream/upstream.js';
import { HOST } from './actor.js';
import type { Registry } from './registry.js';

/** Who gets servers of its own: a session, by its scope and number. */
export interface SessionPlace {
  readonly scope: Scope;
  readonly session: number;
}

/**
 * Gives each session its own server of every registration with `isolation: 'session'`. The first of them starts at once;
 * once one has told what it lists, those of further sessions are idle, with the same lists, until they are needed.
 */
export class SessionServers {
  private readonly places = new Map<Scope, SessionPlace>();

  constructor(private readonly registry: Registry) {}

  /** A server was registered: if it is one for each session, those that are there get theirs. */
  added(upstream: Upstream): void {
    if (!isSessionTemplate(upstream)) return;
    for (const place of this.places.values()) this.give(upstream, place);
  }

  /** A session begins. To be called before anything is read of it. */
  entered(place: SessionPlace): void {
    this.places.set(place.scope, place);
    for (const upstream of this.registry.registered()) {
      if (isSessionTemplate(upstream)) this.give(upstream, place);
    }
  }

  /** A session has ended: its servers end. Resolves when no process of them is left. */
  async left({ scope, session }: SessionPlace): Promise<void> {
    this.places.delete(scope);
    await this.registry.removeAll(scope, { rule: 'session ended', session });
  }

  /** What may run, whoever sees it. */
  everywhere(): readonly Upstream[] {
    return this.registry.all().filter((upstream) => !isSessionTemplate(upstream));
  }

  /**
   * A run of one of them has begun: the next sessions are shown from the beginning what it lists now. What it lists
   * later may come from what its own session does with it.
   */
  started(upstream: Upstream): void {
    if (!isSessionInstance(upstream)) return;
    const registered = this.registry.find(upstream.name);
    if (registered === undefined) return;
    registered.recall(withoutResources(upstream.lists));
  }

  /**
   * Removes a registration, and what sessions have from it. Resolves when no process of it is left.
   *
   * @throws MuxError SERVER_NOT_FOUND
   */
  async remove(name: string): Promise<void> {
    const gone = this.registry.remove(name);
    await Promise.all([gone, ...this.of(name).map(({ scope }) => this.registry.remove(name, HOST, scope))]);
  }

  /**
   * Starts a server again; of one for each session, those that are in use. Their states tell how that went, and where none
   * is in use, what is approved is what the next one lists.
   *
   * @throws MuxError as {@link Registry.reload} does; where several are in use, when all have failed
   */
  async reload(name: string, options: { readonly approve: boolean }): Promise<Upstream> {
    const registered = this.registry.require(name);
    if (!isSessionTemplate(registered)) return this.registry.reload(name, options);
    const inUse = this.of(name).filter(({ state }) => state.kind !== 'idle');
    if (inUse.length > 0) {
      await anyOf(inUse.map(({ scope }) => this.registry.reload(name, { ...options, from: scope })));
    } else if (options.approve) {
      this.registry.approveNext(registered, HOST);
    }
    return registered;
  }

  private of(name: string): readonly Upstream[] {
    return this.registry.all().filter((upstream) => isSessionInstance(upstream) && upstream.name === name);
  }

  private give(from: Upstream, { scope, session }: SessionPlace): void {
    // What the session has of that name already, whatever the spelling, it keeps.
    if (!this.registry.isSeen(from, scope)) return;
    this.registry.addFor(scope, from, { rule: 'isolation', session });
  }
}

/** Resolves when all have ended. Rejects as the first does, when none has succeeded. */
async function anyOf(works: readonly Promise<unknown>[]): Promise<void> {
  const outcomes = await Promise.allSettled(works);
  if (outcomes.some(({ status }) => status === 'fulfilled')) return;
  await works[0];
}
