import { findConfig, type ConfigSearch } from '@mcpmux/config/find';

import { fileText } from '../base/file-text.js';
import type { VariableRules } from './window-environment.js';

/** `${NAME}`, `${env:NAME}`, `${NAME:-…}`, and `"$NAME"` as a whole string. */
const REFERENCE = /\$\{(?:env:)?([A-Za-z_]\w*)|"\$([A-Za-z_]\w*)"/g;
/** Finds configs that may have the setting, so that other configs are not loaded. An escape counts too. */
const MENTION = /"sharedEnvironment"|\\u/;

/** Returns the rules of a window's config for variables of windows. Empty if there is no readable config. */
export async function configVariables(search: ConfigSearch): Promise<VariableRules> {
  const found = findConfig(search);
  if (found.kind !== 'found') return {};
  // The process reads the file next, and reports an error.
  const text = fileText(found.location.file) ?? '';
  const named = namedVariables(text);
  if (!MENTION.test(text)) return { named };
  const { sharedEnvironmentIn } = await import('./shared-environment-in.js');
  return { ...sharedEnvironmentIn(text), named };
}

/** Returns the variables whose values a config uses. */
export function namedVariables(text: string): ReadonlySet<string> {
  return new Set([...text.matchAll(REFERENCE)].flatMap(([, inBraces, bare]) => inBraces ?? bare ?? []));
}
