import { basename } from 'node:path';

import type { JsonObject } from '@mcpmux/clients';

import { dockerImageIndex, packageArgumentIndex } from './runner-words.js';

/** The package that a command line runs. */
export interface PackageTarget {
  readonly kind: 'npm' | 'pypi' | 'oci';
  /** The name without the version, such as `@scope/name` or `name[extra]`, or an image with its tag. */
  readonly name: string;
  /** The exact version, or the digest of an image. Undefined if the command line does not pin the version. */
  readonly version?: string;
  /** A tag or range instead of an exact version, such as `latest`. */
  readonly range?: string;
  /** The index of the package in the arguments. */
  readonly index: number;
}

/** The kind of package that each runner runs. */
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
/** Matches exact versions, as opposed to ranges and tags such as `latest` and `1`. */
const EXACT_VERSION_PATTERNS = {
  npm: /^\d+\.\d+\.\d+(?:[-+].*)?$/,
  pypi: /^\d+(?:\.\d+)*(?:!\d.*|[a-z.+-].*)?$/,
  oci: /^sha256:/,
};

/**
 * Returns the package that a command line runs. Undefined if there is none, or after an unknown option, because the
 * next word may be the option's value.
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

/** Parses the name and the version from an argument. Returns undefined for a folder, a URL or other text. */
function parsePackage(
  kind: PackageTarget['kind'],
  word: string,
): Pick<PackageTarget, 'name' | 'version' | 'range'> | undefined {
  const { name, version } = PACKAGE_PATTERNS[kind].exec(word)?.groups ?? {};
  if (name === undefined) return undefined;
  if (version === undefined) return { name };
  return EXACT_VERSION_PATTERNS[kind].test(version) ? { name, version } : { name, range: version };
}

/** Returns the command-line argument for a version of a package. */
export function packageArgument({ kind, name }: PackageTarget, version: string): string {
  return `${name}${kind === 'pypi' ? '==' : '@'}${version}`;
}

function programName(command = ''): string {
  return basename(command.replaceAll('\\', '/')).replace(/\.(?:cmd|exe)$/i, '');
}

/** Returns the arguments of an entry. */
export function argumentsOf({ args }: JsonObject): readonly unknown[] {
  return Array.isArray(args) ? args : [];
}
