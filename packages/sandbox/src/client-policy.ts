import { isAbsolute, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import { isObject } from './settings-problem.js';

/** A client's access to a path and everything below it. */
export type Access = 'write' | 'read' | 'none';

/** The sandbox in which a client runs commands. */
export interface ClientPolicy {
  /** True if commands may access the network. */
  readonly network: boolean;
  /** Access rights by absolute path. The longest matching path prefix applies. `/` is always present. */
  readonly access: ReadonlyMap<string, Access>;
}

/** Thrown for a description that mcpmux cannot follow. The message completes the sentence "the description ...". */
class PolicyError extends Error {}

/** The files and folders that Codex's commands cannot write, even in a writable folder. */
const CODEX_PROTECTED_NAMES = ['.git', '.agents', '.codex'];
/**
 * The kinds of access, in increasing priority: if several rules have the same path, the last kind applies, as in Codex.
 */
const ACCESS_PRECEDENCE: readonly Access[] = ['read', 'write', 'none'];
/** The maximum number of rules. Codex sends fewer. mcpmux is blocked while it looks up their paths. */
const MAX_RULES = 500;

const NULL_PROBLEM =
  'is null, which another mcpmux in front writes if it had connected before the server was added; ' +
  'reload_server in that mcpmux, for this one, passes descriptions on';

type JsonObject = Readonly<Record<string, unknown>>;
type PathRule = readonly [path: string, access: Access];

/**
 * Reads the sandbox description that Codex sends with a call: a permission profile or, from older versions, a policy.
 * An unknown right grants no access.
 *
 * @returns the sandbox, or the problem if the description has a restriction that mcpmux does not know or cannot apply
 * to servers
 */
export function parseClientPolicy(state: unknown): ClientPolicy | { readonly problem: string } {
  try {
    const {
      permissionProfile: profile,
      sandboxPolicy: policy,
      sandboxCwd,
    } = requireObject(state, state === null ? NULL_PROBLEM : 'is not an object');
    const cwd = absolutePath(sandboxCwd);
    return profile === undefined || profile === null
      ? convertPolicy(requireObject(policy, 'has neither a profile nor a policy'), cwd)
      : convertProfile(requireObject(profile, 'has a profile of an unknown form'), cwd);
  } catch (error) {
    if (error instanceof PolicyError) return { problem: error.message };
    throw error;
  }
}

function convertProfile({ type, file_system: files, network }: JsonObject, cwd: string): ClientPolicy {
  if (type === 'disabled') return createPolicy(true, [['/', 'write']]);
  const hasNetwork = knownValue(network, { enabled: true, restricted: false }, 'network');
  // A different program restricts Codex's file access in this case, in a way that mcpmux cannot determine.
  if (type === 'external') return createPolicy(hasNetwork, [['/', 'read']]);
  if (type !== 'managed') throw new PolicyError(`has a profile of the unknown type ${jsonExcerpt(type)}`);
  const { type: kind, entries } = requireObject(files, 'has no file_system');
  if (kind === 'unrestricted') return createPolicy(hasNetwork, [['/', 'write']]);
  if (kind !== 'restricted' || !Array.isArray(entries))
    throw new PolicyError(`has a file_system of the unknown type ${jsonExcerpt(kind)}`);
  return createPolicy(
    hasNetwork,
    entries.flatMap((entry) => rulesOfEntry(requireObject(entry, 'has an entry of an unknown form'), cwd)),
  );
}

/** Returns the rule for a profile entry, or no rule if the entry grants a right that mcpmux does not know. */
function rulesOfEntry({ path, access: word }: JsonObject, cwd: string): readonly PathRule[] {
  const access = knownValue(
    word,
    { write: 'write', read: 'read', none: 'none', deny: 'none' } as const,
    'access',
  );
  const place = requireObject(path, 'has an entry without a path');
  if (place['type'] === 'path') return [[absolutePath(place['path']), access]];
  const value = requireObject(place['value'] ?? {}, 'has a path of an unknown form');
  const known = place['type'] === 'special' ? specialPath(value, cwd) : undefined;
  if (known !== undefined) return [[known, access]];
  // An unknown writable path grants no access, and a `minimal` path grants only reading, so both can be ignored. Any
  // other unknown path may be a restriction.
  if (access === 'write' || (access === 'read' && value['kind'] === 'minimal')) return [];
  throw new PolicyError(`limits paths in a way that servers cannot have: ${jsonExcerpt(path)}`);
}

function specialPath({ kind, subpath }: JsonObject, cwd: string): string | undefined {
  switch (kind) {
    case 'root':
      return '/';
    case 'slash_tmp':
      return '/tmp';
    case 'project_roots':
    case 'current_working_directory':
      return typeof subpath === 'string' ? absolutePath(join(cwd, subpath)) : cwd;
    default:
      return undefined;
  }
}

function convertPolicy(policy: JsonObject, cwd: string): ClientPolicy {
  const { type, network_access: network, writable_roots: roots = [] } = policy;
  requireFullReadAccess(policy['access'] ?? policy['read_only_access']);
  switch (type) {
    case 'danger-full-access':
      return createPolicy(true, [['/', 'write']]);
    case 'external-sandbox':
      return createPolicy(network === 'enabled', [['/', 'read']]);
    case 'read-only':
      return createPolicy(network === true, [['/', 'read']]);
    case 'workspace-write': {
      if (!Array.isArray(roots)) throw new PolicyError('has writable roots of an unknown form');
      const temporaryFolders = policy['exclude_slash_tmp'] === true ? [] : ['/tmp'];
      const writableFolders = [cwd, ...roots.map(absolutePath), ...temporaryFolders];
      return createPolicy(network === true, [
        ['/', 'read'],
        ...writableFolders.map((path): PathRule => [path, 'write']),
      ]);
    }
    default:
      throw new PolicyError(`has a policy of the unknown type ${jsonExcerpt(type)}`);
  }
}

function requireFullReadAccess(access: unknown): void {
  if (access !== undefined && requireObject(access, 'limits what may be read')['type'] !== 'full-access')
    throw new PolicyError('limits what may be read, which servers cannot have');
}

function createPolicy(network: boolean, rules: readonly PathRule[]): ClientPolicy {
  if (rules.length > MAX_RULES) throw new PolicyError(`has more than ${MAX_RULES} rules for paths`);
  const access = new Map<string, Access>();
  for (const level of ACCESS_PRECEDENCE)
    for (const [path, own] of rules) if (own === level) access.set(path, own);
  if ((access.get('/') ?? 'none') === 'none')
    throw new PolicyError('limits what may be read, which servers cannot have');
  const writableEntries = [...access].filter(([path, own]) => own === 'write' && path !== '/');
  for (const path of writableEntries.flatMap(([folder]) =>
    CODEX_PROTECTED_NAMES.map((name) => join(folder, name)),
  ))
    if (!access.has(path)) access.set(path, 'read');
  return { network, access };
}

function absolutePath(value: unknown): string {
  const path = typeof value === 'string' && value.startsWith('file:') ? fileUrlPath(value) : value;
  if (typeof path !== 'string' || !isAbsolute(path))
    throw new PolicyError(`has a path of an unknown form: ${jsonExcerpt(value)}`);
  return resolve(path);
}

/** Returns a file URL's path, or undefined if the URL has no local path, for example because it names another host. */
function fileUrlPath(url: string): string | undefined {
  try {
    return fileURLToPath(url);
  } catch {
    return undefined;
  }
}

function knownValue<Value>(word: unknown, values: Readonly<Record<string, Value>>, name: string): Value {
  const value = typeof word === 'string' && Object.hasOwn(values, word) ? values[word] : undefined;
  if (value !== undefined) return value;
  throw new PolicyError(`has the unknown ${name} ${jsonExcerpt(word)}`);
}

function requireObject(value: unknown, problem: string): JsonObject {
  if (!isObject(value)) throw new PolicyError(problem);
  return value;
}

function jsonExcerpt(value: unknown): string {
  return (JSON.stringify(value) ?? 'undefined').slice(0, 200);
}
