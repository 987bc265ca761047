import { findConfig, type ConfigSearch } from '@mcpmux/config/find';

import { fileText } from '../base/file-text.js';
import type { VariableRules } from './window-environment.js';

/** Matches `${NAME}`, `${env:NAME}`, `${NAME:-…}`, and `"$NAME"` as a whole string. */
const REFERENCE = /\$\{(?:env:)?([A-Za-z_]\w*)|"\$([A-Za-z_]\w*)"/g;
/** Matches configs that may have the setting, possibly with escapes, so that other configs are not loaded. */
const SETTING = /"sharedEnvironment"|\\u/;

/** Returns the rules for variables from the config of a window. Returns no rules if there is no readable config. */
export async function configVariables(search: ConfigSearch): Promise<VariableRules> {
  const found = findConfig(search);
  if (found.kind !== 'found') return {};
  // Errors are ignored here, because the shared process also reads the file and reports them.
  const text = fileText(found.location.file) ?? '';
  const named = namedVariables(text);
  if (!SETTING.test(text)) return { usedVariables: named };
  const { sharedEnvironmentIn } = await import('./shared-environment-in.js');
  return { ...sharedEnvironmentIn(text), usedVariables: named };
}

/** Returns the names of the variables that a config uses. */
export function namedVariables(text: string): ReadonlySet<string> {
  return new Set([...text.matchAll(REFERENCE)].flatMap(([, inBraces, bare]) => inBraces ?? bare ?? []));
}
