import { findConfig, type ConfigSearch } from '@mcpmux/config/find';

import { readFileText } from '../base/file-text.js';
import type { VariableRules } from './window-environment.js';

/** Matches `${NAME}`, `${env:NAME}`, `${NAME:-…}`, and `"$NAME"` as a whole string. */
const VARIABLE_REFERENCE = /\$\{(?:env:)?([A-Za-z_]\w*)|"\$([A-Za-z_]\w*)"/g;
/** Matches configs that may have this setting, possibly with escapes, so that other configs are not loaded. */
const SHARED_ENVIRONMENT_SETTING = /"sharedEnvironment"|\\u/;

/** Returns the variable rules from a window's config, or no rules if there is no readable config. */
export async function readVariableRules(search: ConfigSearch): Promise<VariableRules> {
  const found = findConfig(search);
  if (found.kind !== 'found') return {};
  // Errors are ignored here, because the shared process also reads the file and reports them.
  const text = readFileText(found.location.file) ?? '';
  const referencedNames = variablesUsedIn(text);
  if (!SHARED_ENVIRONMENT_SETTING.test(text)) return { usedVariables: referencedNames };
  const { sharedEnvironmentIn } = await import('./shared-environment-in.js');
  return { ...sharedEnvironmentIn(text), usedVariables: referencedNames };
}

/** Returns the names of the variables that a config uses. */
export function variablesUsedIn(text: string): ReadonlySet<string> {
  return new Set(
    [...text.matchAll(VARIABLE_REFERENCE)].flatMap(([, inBraces, bare]) => inBraces ?? bare ?? []),
  );
}
