import { BoundedMap } from '@mcpmux/kit';

import type { Guard, GuardAnswer, GuardChange, GuardContext, GuardHandler } from './guard.js';
import { HOST, type Principal } from './principal.js';

const NO_HANDLERS: readonly GuardHandler[] = [];
/** The maximum number of client names to remember. */
const MAX_KNOWN_CLIENTS = 1000;

/** A mux's guards, outermost first. */
export class GuardList {
  /** False if no guard handles requests, so that callers can skip the guards. */
  hasHandlers = false;
  /** True if a guard restricts visibility. */
  hidesEntries = false;
  /** mcpmux's own tools whose calls guards answer for every client. */
  guardedTools: ReadonlySet<string> = new Set();
  /**
   * Returns the own tools that guards answer for the named client, or undefined if they are the same for all clients.
   */
  guardedToolsFor: ((client: string | undefined) => ReadonlySet<string>) | undefined;
  /** A number that changes whenever the visible entries may have changed. */
  version = 0;
  private guards: readonly Guard[] = [];
  private handlersByMethod: ReadonlyMap<string, readonly GuardHandler[]> = new Map();
  private defaultHandlers: readonly GuardHandler[] = NO_HANDLERS;
  private visibilityFilters: readonly NonNullable<Guard['shows']>[] = [];
  /** The names of clients that have sent requests. */
  private readonly knownClients = new BoundedMap<string, true>(MAX_KNOWN_CLIENTS);

  /** @param unguardedMethods methods that bypass the guards */
  constructor(private readonly unguardedMethods: readonly string[]) {}

  /** Adds a guard inside the existing ones, but outside any with `isInnermost`. Returns a function that removes it. */
  use(guard: Guard): () => void {
    // The guard is copied, because the same object may be added twice, and each addition must be removable.
    const handle = handlerFor(guard);
    const guardCopy = { ...guard, ...(handle && { handle }) };
    const allGuards = [...this.guards, guardCopy];
    const isInnermost = (one: Guard): boolean => one.isInnermost === true;
    this.replaceGuards([...allGuards.filter((one) => !isInnermost(one)), ...allGuards.filter(isInnermost)]);
    return () => this.replaceGuards(this.guards.filter((other) => other !== guardCopy));
  }

  /**
   * Records a client's name. A guard with `clients` is inactive until a matching client is known, so until then it does
   * not slow down the requests of other clients.
   */
  noteClient(client: string | undefined): void {
    if (client === undefined || this.knownClients.get(client) === true) return;
    this.knownClients.set(client, true);
    if (this.guards.some(({ clients }) => clients?.(client) === true)) this.replaceGuards(this.guards);
  }

  /** Returns the handlers for a method's requests, outermost first. */
  handlersFor(method: string): readonly GuardHandler[] {
    return this.handlersByMethod.get(method) ?? this.defaultHandlers;
  }

  /**
   * True if a principal may see a server's tool or, if `tool` is absent, the server's prompts and resources. The host
   * sees everything. If a filter throws, the entry is hidden, so a defective filter exposes nothing.
   */
  shows(principal: Principal, server: string, tool?: string): boolean {
    try {
      return principal === HOST || this.visibilityFilters.every((shows) => shows(principal, server, tool));
    } catch {
      return false;
    }
  }

  private replaceGuards(guards: readonly Guard[]): void {
    this.guards = guards;
    this.version += 1;
    const handlingGuards = guards.filter((guard) => guard.handle !== undefined && this.isActive(guard));
    const handlersOf = (method?: string): readonly GuardHandler[] =>
      handlingGuards.flatMap(({ methods, handle }) => {
        const isApplicable = methods === undefined || (method !== undefined && methods.includes(method));
        return isApplicable && handle !== undefined ? [handle] : [];
      });
    const namedMethods = new Set(handlingGuards.flatMap(({ methods = [] }) => methods));
    this.handlersByMethod = new Map<string, readonly GuardHandler[]>([
      ...[...namedMethods].map((method) => [method, handlersOf(method)] as const),
      ...this.unguardedMethods.map((method) => [method, NO_HANDLERS] as const),
    ]);
    this.defaultHandlers = handlersOf();
    this.hasHandlers = handlingGuards.length > 0;
    this.visibilityFilters = guards.flatMap(({ shows }) => (shows === undefined ? [] : [shows]));
    this.hidesEntries = this.visibilityFilters.length > 0;
    const unconditionalGuards = guards.filter(({ clients }) => clients === undefined);
    this.guardedTools = new Set(unconditionalGuards.flatMap(({ answers = [] }) => answers));
    this.guardedToolsFor = this.createGuardedToolsFor(
      guards.filter((guard) => guard.clients && this.isActive(guard)),
    );
  }

  private isActive({ clients }: Guard): boolean {
    return clients === undefined || this.knownClients.has(clients);
  }

  private createGuardedToolsFor(conditionalGuards: readonly Guard[]): GuardList['guardedToolsFor'] {
    if (conditionalGuards.length === 0) return undefined;
    return (client) => {
      const matchingGuards = conditionalGuards.filter(({ clients }) => clients?.(client) === true);
      return new Set([...this.guardedTools, ...matchingGuards.flatMap(({ answers = [] }) => answers)]);
    };
  }
}

/** Returns a guard's handler, wrapped so that requests from clients that the guard excludes bypass it. */
function handlerFor({ clients, handle }: Guard): GuardHandler | undefined {
  if (clients === undefined || handle === undefined) return handle;
  return (context, next) => (clients(context.client) ? handle(context, next) : next());
}

/** The operations on a request that {@link runGuards} needs. */
export interface GuardedWork<Context extends GuardContext> {
  /**
   * Returns the context of the changed request, for the inner guards.
   *
   * @throws Error whose message states why the change is not possible
   */
  readonly applyChange: (context: Context, change: GuardChange) => Context;
  readonly carryOut: (context: Context) => Promise<GuardAnswer>;
}

/**
 * Passes a request through guards, outermost first, then carries it out at most once. Rejects with the error that the
 * outermost guard throws.
 */
export function runGuards<Context extends GuardContext>(
  guards: readonly GuardHandler[],
  context: Context,
  { applyChange, carryOut }: GuardedWork<Context>,
): Promise<GuardAnswer> {
  const enter = async (index: number, request: Context): Promise<GuardAnswer> => {
    const guard = guards[index];
    if (guard === undefined) return carryOut(request);
    let innerAnswer: Promise<GuardAnswer> | undefined;
    const runInnerGuards = async (change?: GuardChange): Promise<GuardAnswer> =>
      enter(index + 1, change === undefined ? request : applyChange(request, change));
    const next = (change?: GuardChange): Promise<GuardAnswer> => {
      if (innerAnswer !== undefined) return innerAnswer;
      innerAnswer = runInnerGuards(change);
      // If the guard responds without awaiting `next`, a rejection of this promise would be unhandled.
      innerAnswer.catch(() => undefined);
      return innerAnswer;
    };
    return guard(request, next);
  };
  return enter(0, context);
}
