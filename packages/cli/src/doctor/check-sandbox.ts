import type { Probed } from '@mcpmux/sandbox/engine';

import { ok, problem, type Finding } from './finding.js';

/** Reports whether a sandbox program can confine the servers, based on a test run of the program. */
export function checkSandbox(probed: Probed, servers: readonly string[]): readonly Finding[] {
  if (servers.length === 0) return [];
  const names = servers.join(', ');
  if (probed.kind === 'none')
    return [problem('sandbox', `${probed.problem}, so these servers do not start: ${names}`, probed.advice)];
  return [ok('sandbox', `${probed.kind} at ${probed.path}, tested by running it, confines ${names}`)];
}
