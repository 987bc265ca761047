import type { Scope } from '../upstream/config/scope.js';

/** One of the merged lists is another one for those who see this scope. */
export interface ListChange {
  readonly scope: Scope;
  readonly method: string;
}

/** What is to be announced to those who see each scope. */
export function methodsByScope(changes: Iterable<ListChange>): ReadonlyMap<Scope, ReadonlySet<string>> {
  const byScope = new Map<Scope, Set<string>>();
  for (const { scope, method } of changes) {
    byScope.set(scope, (byScope.get(scope) ?? new Set()).add(method));
  }
  return byScope;
}
