import { readFileSync } from 'node:fs';

import type { Mux } from '@mcpmux/core';

import type { ConfigGuards } from '../config/config-guards.js';
import type { ConfigFound } from '../config/find-config.js';
import type { HttpSettings } from '../config/http-settings.js';
import { thisProcess } from '../config/this-process.js';
import { writeErr } from '../base/terminal-output.js';
import { ExitCode } from '../base/exit-code.js';
import type { StderrLogger } from '../log/stderr-logger.js';

/** What the first client finds. */
export interface EntranceParts {
  readonly mux: Mux;
  readonly logger: StderrLogger;
  /** Requests are recorded with OpenTelemetry. */
  readonly isRecorded: boolean;
}

/**
 * Most configs have neither, and their code is loaded when a client has its first answer. What comes before the colon is
 * not looked at, and any escape counts: a section that was missed would guard nothing.
 */
const SECTIONS = /"(?:guards|http)"|\\u/;

/** Puts the guards of a config before the servers. A config whose guards cannot be used is not served at all. */
export async function entranceOf(
  found: ConfigFound,
  { isRecorded, ...parts }: EntranceParts,
): Promise<
  { readonly guards?: ConfigGuards; readonly http?: HttpSettings | undefined } | { readonly exitCode: number }
> {
  // Outermost: it sees what guards refuse.
  if (isRecorded) {
    const { useTelemetry } = await import('./serve-telemetry.js');
    const missing = await useTelemetry(parts.mux);
    if (missing !== undefined) return refused([missing]);
  }
  if (found.kind !== 'found' || !hasSections(found.location.file)) return {};
  const { loadConfig } = await import('../config/load-config.js');
  const { formatProblem } = await import('../config/config-problem.js');
  const { ConfigGuards } = await import('../config/config-guards.js');
  const { isUsable, guards: settings, http, problems } = loadConfig(found.location, thisProcess());
  if (!isUsable) return refused(problems.map(formatProblem));
  const guards = new ConfigGuards(parts);
  await guards.load();
  guards.apply(settings);
  return { guards, http };
}

function refused(problems: readonly string[]): { readonly exitCode: number } {
  for (const problem of problems) writeErr(`mcpmux: ${problem}\n`);
  return { exitCode: ExitCode.Usage };
}

function hasSections(file: string): boolean {
  try {
    return SECTIONS.test(readFileSync(file, 'utf8'));
  } catch {
    // Whoever reads it next says why it cannot be read.
    return false;
  }
}
