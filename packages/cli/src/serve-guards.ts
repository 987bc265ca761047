import { readFileSync } from 'node:fs';

import type { Mux } from '@mcpmux/core';

import type { ConfigGuards } from './config/config-guards.js';
import type { ConfigFound } from './config/find-config.js';
import type { HttpSettings } from './config/http-settings.js';
import { thisProcess } from './config/this-process.js';
import { ExitCode } from './exit-code.js';
import type { StderrLogger } from './stderr-logger.js';

/** What of a config must hold before the first client is let in. */
export interface Entrance {
  readonly guards?: ConfigGuards;
  readonly http?: HttpSettings | undefined;
}

/** Most configs have neither, and their code is loaded when a client has its first answer. */
const SECTIONS = /"(?:guards|http)"\s*:/;

/** Puts the guards of a config before the servers. A config whose guards cannot be used is not served at all. */
export async function entranceOf(
  found: ConfigFound,
  parts: { readonly mux: Mux; readonly logger: StderrLogger },
): Promise<Entrance | { readonly exitCode: number }> {
  if (found.kind !== 'found' || !hasSections(found.location.file)) return {};
  const { loadConfig } = await import('./config/load-config.js');
  const { formatProblem } = await import('./config/config-problem.js');
  const { ConfigGuards } = await import('./config/config-guards.js');
  const { isUsable, guards: settings, http, problems } = loadConfig(found.location, thisProcess());
  if (!isUsable) {
    for (const problem of problems) process.stderr.write(`mcpmux: ${formatProblem(problem)}\n`);
    return { exitCode: ExitCode.Usage };
  }
  const guards = new ConfigGuards(parts);
  await guards.load();
  guards.apply(settings);
  return { guards, http };
}

function hasSections(file: string): boolean {
  try {
    return SECTIONS.test(readFileSync(file, 'utf8'));
  } catch {
    // Whoever reads it next says why it cannot be read.
    return false;
  }
}
