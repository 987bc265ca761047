import type { AppliedConfig, ConfigGuards, HttpSettings } from '@mcpmux/config';
import type { ConfigFound } from '@mcpmux/config/find';
import type { Mux } from '@mcpmux/core';

import { thisProcess } from '../config/this-process.js';
import { readFileText } from '../base/file-text.js';
import type { StderrLogger } from '../log/stderr-logger.js';
import { createConfigGuards } from './config-guards.js';
import { refuseStart, type StartRefusal } from './refused.js';

/** The config settings that apply before any client connects. */
export interface EarlySettings {
  readonly guards?: ConfigGuards;
  readonly http?: HttpSettings | undefined;
  /** The part of the config that already applies. */
  readonly applied?: AppliedConfig;
}

/**
 * Matches config text that may contain these sections. Other configs are loaded only after the first response. A false
 * match is harmless, but guards in a missed section would not apply, so any escape matches too.
 */
const EARLY_SECTIONS = /"(?:guards|http)"|\\u/;

/**
 * Applies a config's guards before any client connects. Refuses to start if that config is unusable.
 *
 * @param isRecorded true if OpenTelemetry records requests
 */
export async function applyEarlySettings(
  found: ConfigFound,
  mux: Mux,
  logger: StderrLogger,
  isRecorded: boolean,
): Promise<EarlySettings | StartRefusal> {
  // Telemetry is the outermost guard, so that it also records refusals.
  if (isRecorded) {
    const { useTelemetry } = await import('./serve-telemetry.js');
    const telemetryProblem = await useTelemetry(mux);
    if (telemetryProblem !== undefined) return refuseStart([telemetryProblem]);
  }
  // The reconciler later reports an unreadable file.
  if (found.kind !== 'found' || !EARLY_SECTIONS.test(readFileText(found.location.file) ?? '')) return {};
  const { formatProblem, loadConfig } = await import('@mcpmux/config');
  const { isUsable, guards: settings, http, problems } = loadConfig(found.location, thisProcess());
  if (!isUsable) return refuseStart(problems.map(formatProblem));
  const guards = await createConfigGuards(mux, logger);
  guards.apply(settings);
  return { guards, http, applied: { servers: [], guards: settings } };
}
