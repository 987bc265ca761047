import { basename } from 'node:path';

import type { JsonObject } from '@mcpmux/clients';

import { VERSION } from '../base/version.js';

/** The npm package of mcpmux, pinned to the running version. */
export const OWN_PACKAGE = `@mcpmux/cli@${VERSION}`;

const OWN_PACKAGE_PATTERN = /^@mcpmux\/cli(?:@.*)?$/;

/** The options for building a server entry that runs mcpmux. */
export interface OwnEntryOptions {
  readonly platform: NodeJS.Platform;
  /** The Node.js executable and script of this installation. If set, the entry runs them, not the published package. */
  readonly localInstallation?: { readonly node: string; readonly script: string } | undefined;
  readonly flags: readonly string[];
}

/** Returns the server entry with which a client runs mcpmux. */
export function ownEntry({ platform, localInstallation, flags }: OwnEntryOptions): JsonObject {
  if (localInstallation !== undefined) {
    // In a single-file executable, the script is the executable itself.
    const script = localInstallation.script === localInstallation.node ? [] : [localInstallation.script];
    return { command: localInstallation.node, args: [...script, ...flags] };
  }
  const npx = ['npx', '-y', OWN_PACKAGE, ...flags];
  // On Windows, npx is a script that only a shell can run.
  const [command, ...args] = platform === 'win32' ? ['cmd', '/c', ...npx] : npx;
  return { command, args };
}

/** Updates a pinned mcpmux version in an entry to this version. Leaves tags and unpinned packages unchanged. */
export function withOwnVersion(entry: JsonObject): JsonObject {
  const members = Object.entries(entry).map(([key, value]) => [key, withOwnPackage(value)] as const);
  return members.every(([key, value]) => value === entry[key]) ? entry : Object.fromEntries(members);
}

function withOwnPackage(value: unknown): unknown {
  if (typeof value === 'string') return PINNED_PACKAGE.test(value) ? OWN_PACKAGE : value;
  return Array.isArray(value) && value.some((word) => withOwnPackage(word) !== word)
    ? value.map(withOwnPackage)
    : value;
}

const PINNED_PACKAGE = /^@mcpmux\/cli@\d/;

/** True if a script belongs to a source checkout rather than an installed package. */
export function isCheckout(script: string): boolean {
  return !script.split(/[\\/]/).includes('node_modules');
}

/** True if an entry runs mcpmux itself. Such an entry must not be in mcpmux's own config. */
export function isMcpmuxEntry({ command, args }: JsonObject): boolean {
  const words: readonly unknown[] = [command, ...(Array.isArray(args) ? args : [])];
  // Check only the program, because an argument may be the path of a folder named mcpmux.
  const program = words.filter((word) => typeof word === 'string').find((word) => !isRunner(word));
  return (
    program !== undefined && (OWN_PACKAGE_PATTERN.test(program) || OWN_PROGRAMS.has(programName(program)))
  );
}

const OWN_PROGRAMS: ReadonlySet<string> = new Set([
  'mcpmux',
  'mcpmux.cjs',
  // Earlier versions used this file name.
  'mcpmux.js',
  'mcpmux.cmd',
  'mcpmux.exe',
]);
const RUNNERS: ReadonlySet<string> = new Set([
  'cmd',
  'npx',
  'npm',
  'pnpm',
  'yarn',
  'bunx',
  'bun',
  'node',
  'deno',
  'env',
]);
const RUNNER_ARGUMENTS: ReadonlySet<string> = new Set(['/c', '/C', 'exec', 'dlx', 'x', 'run']);

function isRunner(word: string): boolean {
  return (
    word.startsWith('-') ||
    RUNNER_ARGUMENTS.has(word) ||
    RUNNERS.has(programName(word).replace(/\.(?:cmd|exe)$/, ''))
  );
}

function programName(word: string): string {
  return basename(word.replaceAll('\\', '/'));
}
