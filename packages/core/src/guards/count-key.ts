import type { GuardContext } from './guard.js';

/** A property by which a guard counts calls separately. */
export type CountKey = 'principal' | 'server' | 'tool';

/**
 * Returns a string that is the same for all calls that are counted together. Calls at two servers of the same name have
 * different keys.
 */
export function countKey(
  { principal, server = '', serverScope, tool = '' }: GuardContext,
  by: readonly CountKey[],
): string {
  const where = [serverScope, server];
  const parts = { principal: principal.id, server: where, tool: [where, tool] };
  return JSON.stringify(by.map((part) => parts[part]));
}
