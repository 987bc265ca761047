import { findConfig, type ConfigSearch } from '@mcpmux/config/find';

import { readFileText } from '../base/file-text.js';
import type { VariableRules } from './window-environment.js';

/** Matches `${NAME}`, `${env:NAME}`, the start of `${NAME:-…}`, and `$NAME` as a whole JSON string. */
const VARIABLE_REFERENCE = /\$\{(?:env:)?([A-Za-z_]\w*)|"\$([A-Za-z_]\w*)"/g;
/** Matches a config that may contain this setting, perhaps spelled with escapes. Only such a config is parsed. */
const SHARED_ENVIRONMENT_SETTING = /"sharedEnvironment"|\\u/;

/** Returns the variable rules from a window's config. Returns empty rules if the config is missing or unreadable. */
export async function readVariableRules(search: ConfigSearch): Promise<VariableRules> {
  const found = findConfig(search);
  if (found.kind !== 'found') return {};
  // A read error is ignored here, because the shared process also reads the file and reports the error.
  const text = readFileText(found.location.file) ?? '';
  const referencedNames = variablesUsedIn(text);
  if (!SHARED_ENVIRONMENT_SETTING.test(text)) return { usedVariables: referencedNames };
  const { sharedEnvironmentIn } = await import('./shared-environment-in.js');
  return { ...sharedEnvironmentIn(text), usedVariables: referencedNames };
}

/** Returns the names of the environment variables that a config's text references. */
export function variablesUsedIn(text: string): ReadonlySet<string> {
  return new Set(
    [...text.matchAll(VARIABLE_REFERENCE)].flatMap(([, inBraces, bare]) => inBraces ?? bare ?? []),
  );
}
