import type { GuardContext } from './guard.js';

/** A property of calls by which a guard counts separately. */
export type CountKey = 'principal' | 'server' | 'tool';

/** A text that calls have in common when they are counted together: not those at two servers of one name. */
export function countKey(
  { principal, server = '', serverScope, tool = '' }: GuardContext,
  by: readonly CountKey[],
): string {
  const where = [serverScope, server];
  const parts = { principal: principal.id, server: where, tool: [where, tool] };
  return JSON.stringify(by.map((part) => parts[part]));
}
