import type { Logger } from '@mcpmux/kit';
import type { Schema } from '@mcpmux/kit/zod';

import { accessSetting } from './access-control.js';
import { ApprovalDesk } from './approval-desk.js';
import { approvalSetting } from './approvals.js';
import { auditSetting } from './call-audit.js';
import { concurrencySetting } from './concurrency.js';
import type { Guard } from './guard.js';
import { settingParts, type GuardSetting, type SettingZod, type UnknownKeys } from './guard-setting.js';
import { largeResultsSetting } from './large-results.js';
import { resultLimitSetting, timeLimitSetting } from './limits-of-calls.js';
import { rateLimitSetting } from './rate-limit.js';
import { resultCacheSetting } from './result-cache.js';
import type { ResultHost } from './results/shortened-result.js';

/**
 * The guards' settings, outermost guard first. In this order, refusals are audited, calls without access do not count
 * towards the rate limit, cached results do not wait for a slot, and a call's time limit starts once it has a slot.
 */
const GUARD_SETTINGS = {
  audit: auditSetting,
  access: accessSetting,
  rateLimit: rateLimitSetting,
  // Outside the time and concurrency limits, because people respond slowly.
  approvals: approvalSetting,
  // Outside the cache, because a cached result may outlive a handle that it contains.
  largeResults: largeResultsSetting,
  cache: resultCacheSetting,
  concurrency: concurrencySetting,
  timeouts: timeLimitSetting,
  resultBytes: resultLimitSetting,
};

type Settings = typeof GUARD_SETTINGS;

/** A config's `guards` section. */
export type GuardSettings = {
  readonly [Name in keyof Settings]?: Settings[Name] extends GuardSetting<infer Value>
    ? Value | undefined
    : never;
};

/** Returns the schema for {@link GuardSettings}. Unknown keys are errors, because an ignored guard protects nothing. */
export function guardSettings(z: SettingZod, unknownKeys: UnknownKeys): Schema<GuardSettings> {
  const parts = settingParts(z, unknownKeys);
  const schemas = Object.entries(GUARD_SETTINGS).map(
    ([name, setting]) => [name, z.optional(setting.schema(parts))] as const,
  );
  const error = unknownKeys('guards', Object.keys(GUARD_SETTINGS));
  return z.strictObject(Object.fromEntries(schemas), { error });
}

/**
 * Creates a config's guards, outermost first.
 *
 * @param logger receives the records of `audit`
 * @param desk asks people and remembers their approvals
 * @param results provides the limits and files for `largeResults`
 */
export function guardsOf(
  settings: GuardSettings,
  logger: Logger,
  desk = new ApprovalDesk({ logger }),
  results: ResultHost = {},
): readonly Guard[] {
  const values: Readonly<Record<string, unknown>> = settings;
  return Object.entries<GuardSetting>(GUARD_SETTINGS).flatMap(([name, setting]) => {
    const value = values[name];
    return value === undefined ? [] : setting.guards(value, logger, desk, results);
  });
}
