import { CLIENT_FAMILIES, OF_WINDOW, SERVER_WORDS, WINDOW_FAMILIES } from './window-variables.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** The rules of a config for variables of windows. A name may end with `*`. */
export interface VariableRules {
  /** Variables that are not compared, and that servers do not get. */
  readonly ignore?: readonly string[] | undefined;
  /** Variables that are compared, and that servers get. */
  readonly respect?: readonly string[] | undefined;
  /** Variables whose values the config uses. They are treated as respected. */
  readonly named?: ReadonlySet<string> | undefined;
}

/**
 * Returns the variables that must be equal for windows to share a process. The process and its servers get only these
 * variables, because other variables would belong to another window.
 */
export function sharedEnvironment(
  environment: Environment,
  rules: VariableRules = {},
): Record<string, string> {
  const entries = Object.entries(environment).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && isShared(entry[0], rules),
  );
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function isShared(name: string, { ignore = [], respect = [], named }: VariableRules): boolean {
  if (named?.has(name) === true || isOneOf(name, respect)) return true;
  return !isOneOf(name, ignore) && !isOfWindow(name);
}

function isOfWindow(name: string): boolean {
  if (OF_WINDOW.has(name) || begins(name, WINDOW_FAMILIES)) return true;
  return begins(name, CLIENT_FAMILIES) && !name.split('_').some((word) => SERVER_WORDS.has(word));
}

function begins(name: string, families: readonly string[]): boolean {
  return families.some((family) => name.startsWith(family));
}

function isOneOf(name: string, patterns: readonly string[]): boolean {
  return patterns.some((one) => (one.endsWith('*') ? name.startsWith(one.slice(0, -1)) : name === one));
}
