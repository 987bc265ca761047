import { createHash } from 'node:crypto';

import type { SharingDigest } from '../live/admin-methods.js';

/**
 * Returns digests of a process's environment and options, by which two processes are compared.
 *
 * @param args the command line, without options that are different in every process
 */
export function sharingDigest(
  environment: Readonly<Record<string, string | undefined>>,
  args: readonly string[],
): SharingDigest {
  const digests: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) digests[name] = shortDigest(`${name}=${value}`);
  return { environment: digests, options: shortDigest(JSON.stringify(args)) };
}

/** Returns the sorted names of the variables that differ between two processes. */
export function differentVariables(one: SharingDigest, other: SharingDigest): readonly string[] {
  const names = new Set([...Object.keys(one.environment), ...Object.keys(other.environment)]);
  return [...names].filter((name) => one.environment[name] !== other.environment[name]).toSorted();
}

function shortDigest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
