import { loadConfig } from '@mcpmux/config';
import type { ConfigLocation } from '@mcpmux/config/find';

import { thisProcess } from '../config/this-process.js';
import type { ServeOptions } from '../serve/serve-options.js';

/** The options that decide what clients may do, and what they see. */
export type RuleOptions = Pick<
  ServeOptions,
  'addPolicy' | 'pinTools' | 'exposure' | 'tools' | 'profile' | 'only' | 'codeMode'
>;

const BY_DEFAULT = 'allow on stdio, deny elsewhere';

/** What is allowed and what is on, for a reader of the page. A flag has precedence over the config. */
export function rulesOf(
  options: RuleOptions,
  location: ConfigLocation | undefined,
): Readonly<Record<string, string>> {
  const { guards = {}, exposure = {} } = location === undefined ? {} : loadConfig(location, thisProcess());
  const { mode = 'all', tools = 'all' } = typeof exposure === 'string' ? { mode: exposure } : exposure;
  return {
    'Servers that agents may add': options.addPolicy?.mode ?? BY_DEFAULT,
    Guards: Object.keys(guards).join(', ') || 'none',
    'Changed tools': options.pinTools ?? 'not pinned',
    'Tools in lists': options.exposure ?? mode,
    'Own tools in lists': options.tools ?? tools,
    ...chosen(options),
  };
}

/** The rules that only flags set. */
function chosen({ profile, only, codeMode }: RuleOptions): Readonly<Record<string, string>> {
  return {
    ...(codeMode === true && { 'Code mode': 'on' }),
    ...(profile !== undefined && { Profile: profile }),
    ...(only !== undefined && { 'Only these servers': only.join(', ') }),
  };
}
