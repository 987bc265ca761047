import { formatPath, type ConfigProblem } from './config-problem.js';
import type { SettingPath } from './config-text.js';

const UNSET_VARIABLE = /the environment variable ([\w.]+) is not set/g;

/** Returns the names of the unset environment variables that a problem's message mentions. */
export function unsetVariables(text: string): readonly string[] {
  return [...new Set([...text.matchAll(UNSET_VARIABLE)].flatMap(([, name]) => name ?? []))];
}

/** Returns the reason why a server cannot start: its config entry's errors with their positions, but without values. */
export function whyMisconfigured(entry: SettingPath, problems: readonly ConfigProblem[]): string {
  const reasons = problems.filter(
    ({ severity, path }) => severity === 'error' && isWithin(path, formatPath(entry)),
  );
  const texts = reasons.map(
    ({ path, message, file, line, column }) => `${path}: ${message} (${file}:${line}:${column})`,
  );
  const isUnset = reasons.some(({ message }) => unsetVariables(message).length > 0);
  return [...texts, ...(isUnset ? [ENV_HINT] : [])].join('; ') || 'its entry in the config cannot be used';
}

const ENV_HINT =
  'mcpmux has only the variables that its client passes on, which "mcpmux doctor" tells for each client';

function isWithin(path: string, entry: string): boolean {
  return path === entry || path.startsWith(`${entry}.`) || path.startsWith(`${entry}[`);
}
