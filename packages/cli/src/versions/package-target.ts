import { basename } from 'node:path';

import type { JsonObject } from '@mcpmux/clients';

import { dockerImageIndex, packageArgumentIndex } from './runner-words.js';

/** The package that a command line runs. */
export interface PackageTarget {
  readonly kind: 'npm' | 'pypi' | 'oci';
  /** The name without the version, such as `@scope/name` or `name[extra]`. An image's name includes its tag. */
  readonly name: string;
  /** The exact version, or an image's digest. Undefined if the command line does not pin it. */
  readonly version?: string;
  /** A tag or range instead of an exact version, such as `latest`. */
  readonly range?: string;
  /** The package's index in the command's arguments. */
  readonly index: number;
}

const PACKAGE_KIND_BY_RUNNER: Readonly<Record<string, PackageTarget['kind']>> = {
  npx: 'npm',
  uvx: 'pypi',
  docker: 'oci',
  podman: 'oci',
};

const NPM_PATTERN = /^(?<name>(?:@[\w.~-]+\/)?[\w.~][\w.~-]*)(?:@(?<version>[\w.~^*+-]+))?$/;
const PYPI_PATTERN = /^(?<name>[A-Za-z\d][\w.-]*(?:\[[\w,.-]+\])?)(?:(?:==|@)(?<version>[\w.!+-]+))?$/;
const OCI_PATTERN =
  /^(?<name>[a-z\d][\w.-]*(?::\d+(?=\/))?(?:\/[a-z\d][\w.-]*)*(?::[\w.-]+)?)(?:@(?<version>sha256:[a-f\d]{64}))?$/;
const PACKAGE_PATTERNS = { npm: NPM_PATTERN, pypi: PYPI_PATTERN, oci: OCI_PATTERN };
/** The patterns for exact versions. Tags such as `latest` and npm ranges such as `1` do not match. */
const EXACT_VERSION_PATTERNS = {
  npm: /^\d+\.\d+\.\d+(?:[-+].*)?$/,
  pypi: /^\d+(?:\.\d+)*(?:!\d.*|[a-z.+-].*)?$/,
  oci: /^sha256:/,
};

/**
 * Returns the package that a command line runs, or undefined if it runs none. Also returns undefined if an unknown
 * option of `npx` or `uvx` precedes the package, because the next word may be the option's value.
 */
export function packageTarget(command: unknown, args: unknown): PackageTarget | undefined {
  const all = [command, ...(Array.isArray(args) ? args : [])].map(String);
  // On Windows, the runner may follow `cmd /c`.
  const skipped = programName(all[0]) === 'cmd' && /^\/[cC]$/.test(all[1] ?? '') ? 2 : 0;
  const [runner, ...words] = all.slice(skipped);
  const program = programName(runner);
  const kind = Object.hasOwn(PACKAGE_KIND_BY_RUNNER, program) ? PACKAGE_KIND_BY_RUNNER[program] : undefined;
  if (kind === undefined) return undefined;
  const packageIndex = kind === 'oci' ? dockerImageIndex(words) : packageArgumentIndex(kind, words);
  if (packageIndex === undefined) return undefined;
  const parsed = parsePackage(kind, words[packageIndex] ?? '');
  return parsed && { kind, ...parsed, index: packageIndex + skipped };
}

/** Parses a package's name and version. Returns undefined for other arguments, such as a folder or a URL. */
function parsePackage(
  kind: PackageTarget['kind'],
  word: string,
): Pick<PackageTarget, 'name' | 'version' | 'range'> | undefined {
  const { name, version } = PACKAGE_PATTERNS[kind].exec(word)?.groups ?? {};
  if (name === undefined) return undefined;
  if (version === undefined) return { name };
  return EXACT_VERSION_PATTERNS[kind].test(version) ? { name, version } : { name, range: version };
}

/** Returns the command-line argument that selects a package version, such as `name@1.2.3`. */
export function packageArgument({ kind, name }: PackageTarget, version: string): string {
  return `${name}${kind === 'pypi' ? '==' : '@'}${version}`;
}

function programName(command = ''): string {
  return basename(command.replaceAll('\\', '/')).replace(/\.(?:cmd|exe)$/i, '');
}

/** Returns the `args` of a config entry, or an empty list if `args` is not a list. */
export function argumentsOf({ args }: JsonObject): readonly unknown[] {
  return Array.isArray(args) ? args : [];
}
