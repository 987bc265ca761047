import { CLIENT_PREFIXES, WINDOW_VARIABLES, SERVER_WORDS, WINDOW_PREFIXES } from './window-variables.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** A config's rules for windows' environment variables. A name that ends with `*` is a prefix. */
export interface VariableRules {
  /** Variables that may differ between windows that share a process. Servers do not receive them. */
  readonly ignore?: readonly string[] | undefined;
  /** Variables that must be equal for windows to share a process. Servers receive them. */
  readonly respect?: readonly string[] | undefined;
  /** Variables that the config references. They are treated like variables in `respect`. */
  readonly usedVariables?: ReadonlySet<string> | undefined;
}

/**
 * Returns the variables that must be equal for windows to share a process. The process and its servers receive only
 * these variables, because the others may differ between its windows.
 */
export function sharedEnvironment(
  environment: Environment,
  rules: VariableRules = {},
): Record<string, string> {
  const entries = Object.entries(environment).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && isSharedVariable(entry[0], rules),
  );
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function isSharedVariable(
  name: string,
  { ignore = [], respect = [], usedVariables }: VariableRules,
): boolean {
  if (usedVariables?.has(name) === true || matchesAny(name, respect)) return true;
  return !matchesAny(name, ignore) && !isWindowVariable(name);
}

function isWindowVariable(name: string): boolean {
  if (WINDOW_VARIABLES.has(name) || hasPrefix(name, WINDOW_PREFIXES)) return true;
  return hasPrefix(name, CLIENT_PREFIXES) && !name.split('_').some((word) => SERVER_WORDS.has(word));
}

function hasPrefix(name: string, prefixes: readonly string[]): boolean {
  return prefixes.some((prefix) => name.startsWith(prefix));
}

function matchesAny(name: string, patterns: readonly string[]): boolean {
  return patterns.some((one) => (one.endsWith('*') ? name.startsWith(one.slice(0, -1)) : name === one));
}
