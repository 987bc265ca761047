import type { AppliedConfig } from '@mcpmux/config';
import type { AddPolicy, ExposureMode, PinMode } from '@mcpmux/core';

/** The `serve` options that control which servers and tools clients can add or use. */
export interface RuleOptions {
  readonly addPolicy?: AddPolicy;
  readonly pinTools?: PinMode;
  readonly exposure?: ExposureMode;
  readonly tools?: 'all' | 'minimal' | 'none';
  readonly codeMode?: boolean;
  readonly profile?: string;
  readonly only?: readonly string[];
}

const DEFAULT_ADD_POLICY = 'allow on stdio, deny elsewhere';
const CHANGED_TOOL_TEXTS: Readonly<Record<PinMode, string>> = {
  off: 'used',
  warn: 'used and reported',
  block: 'blocked until approved',
};

/**
 * Returns the rules of an mcpmux process by label, as the page displays them. Flags take precedence over the config.
 *
 * @param config the config in force
 */
export function rulesOf(
  options: RuleOptions,
  config: Partial<AppliedConfig> = {},
): Readonly<Record<string, string>> {
  const { guards = {}, exposure = {} } = config;
  const { mode = 'all', tools = 'all' } = typeof exposure === 'string' ? { mode: exposure } : exposure;
  return {
    'Servers that agents may add': options.addPolicy?.mode ?? DEFAULT_ADD_POLICY,
    Guards: Object.keys(guards).join(', ') || 'none',
    'Changed tools': CHANGED_TOOL_TEXTS[options.pinTools ?? 'warn'],
    'Tools in lists': options.exposure ?? mode,
    'Own tools in lists': options.tools ?? tools,
    ...flagRules(options),
  };
}

/** Returns the rules that only flags can set. */
function flagRules({ profile, only, codeMode }: RuleOptions): Readonly<Record<string, string>> {
  return {
    ...(codeMode === true && { 'Code mode': 'on' }),
    ...(profile !== undefined && { Profile: profile }),
    ...(only !== undefined && { 'Only these servers': only.join(', ') }),
  };
}
