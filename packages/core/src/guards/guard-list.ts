import type { Guard, GuardHandler } from './guard.js';
import { HOST, type Principal } from './principal.js';

const NONE: readonly GuardHandler[] = [];

/** The guards of a mux, outermost first. */
export class GuardList {
  /** False as long as no guard looks at any request: then nothing else is to be asked. */
  hasHandlers = false;
  /** True when some principals see less than others. */
  hides = false;
  /** True when a guard stores results, which `read_result` reads. */
  storesResults = false;
  /** Changes when what principals see may have changed. */
  version = 0;
  private guards: readonly Guard[] = [];
  private byMethod: ReadonlyMap<string, readonly GuardHandler[]> = new Map();
  private ofAll: readonly GuardHandler[] = NONE;
  private filters: readonly NonNullable<Guard['shows']>[] = [];

  /** @param unguarded methods that no guard sees */
  constructor(private readonly unguarded: readonly string[]) {}

  /** Adds a guard inside of those that are there. Returns the function that takes it out again. */
  use(guard: Guard): () => void {
    // A copy: the same guard may be added twice.
    const added = { ...guard };
    this.become([...this.guards, added]);
    return () => this.become(this.guards.filter((other) => other !== added));
  }

  /** What requests of a method pass, outermost first. */
  of(method: string): readonly GuardHandler[] {
    return this.byMethod.get(method) ?? this.ofAll;
  }

  /**
   * Whether a principal sees a tool of a server, or what it has beside tools. The host sees everything. A filter that throws
   * hides: nobody is let in by a defect.
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
    const handling = guards.filter(({ handle }) => handle !== undefined);
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
    this.storesResults = guards.some(({ storesResults }) => storesResults === true);
  }
}
