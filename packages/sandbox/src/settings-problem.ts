import type { SandboxSettings } from './settings.js';

const FILE_KEYS = ['allowRead', 'allowWrite', 'denyRead', 'denyWrite'];
/** Keys whose paths are ignored if they do not exist. A pattern would be ignored too, so it is rejected. */
const DENY_KEYS: ReadonlySet<string> = new Set(['denyRead', 'denyWrite']);
const DOMAIN_KEYS = ['allowedDomains', 'deniedDomains'];

/** Returns the first reason why a value is not a valid sandbox setting, or undefined if it is valid. */
export function settingsProblem(value: unknown): string | undefined {
  if (!isObject(value))
    return 'must be an object: {"filesystem": {"allowWrite": ["./out"]}, "network": true}';
  const { filesystem = {}, network = false, follow = 'client', ...others } = value;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) return `has no setting "${unknown}"`;
  if (follow !== 'client') return 'has a "follow" that is not "client"';
  return (
    listProblem('filesystem', filesystem, FILE_KEYS) ??
    (typeof network === 'boolean' ? undefined : listProblem('network', network, DOMAIN_KEYS))
  );
}

/** True if a value is a valid sandbox setting. */
export function isSandboxSettings(value: unknown): value is SandboxSettings {
  return settingsProblem(value) === undefined;
}

function listProblem(name: string, value: unknown, keys: readonly string[]): string | undefined {
  if (!isObject(value)) return `has a "${name}" that is not an object`;
  for (const [key, list] of Object.entries(value)) {
    if (!keys.includes(key)) return `has no setting "${name}.${key}"`;
    if (!Array.isArray(list) || !list.every((item) => typeof item === 'string' && item !== ''))
      return `has a "${name}.${key}" that is not a list of texts`;
    if (DENY_KEYS.has(key) && list.some((item) => String(item).includes('*')))
      return `has a "*" in "${name}.${key}": a pattern would protect nothing. Name the folder`;
  }
  return undefined;
}

/** True for an object that is not an array. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
