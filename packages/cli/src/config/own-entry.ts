import { basename } from 'node:path';

import type { JsonObject } from '@mcpmux/clients';

import { VERSION } from '../base/version.js';

/** The published package in the version of this code, so that no other version is started. */
export const OWN_PACKAGE = `@mcpmux/cli@${VERSION}`;

const PACKAGE = /^@mcpmux\/cli(?:@.*)?$/;

/** The traits of a registration of mcpmux. */
export interface OwnTraits {
  readonly platform: NodeJS.Platform;
  /** This installation, used instead of the published package. */
  readonly local?: { readonly node: string; readonly script: string } | undefined;
  /** Additional words of the command line. */
  readonly flags: readonly string[];
}

/** Returns the entry that runs mcpmux. */
export function ownEntry({ platform, local, flags }: OwnTraits): JsonObject {
  if (local !== undefined) {
    // The single-file executable is its own script.
    const script = local.script === local.node ? [] : [local.script];
    return { command: local.node, args: [...script, ...flags] };
  }
  const npx = ['npx', '-y', OWN_PACKAGE, ...flags];
  // On Windows npx is a script, which only a shell can run.
  const [command, ...args] = platform === 'win32' ? ['cmd', '/c', ...npx] : npx;
  return { command, args };
}

/**
 * Returns the entry with the version of this code, if the entry names another version. A tag stays, and so does an
 * entry without a version.
 */
export function withOwnVersion(entry: JsonObject): JsonObject {
  const words = Object.entries(entry).map(([key, value]) => [key, pinned(value)] as const);
  return words.every(([key, value]) => value === entry[key]) ? entry : Object.fromEntries(words);
}

function pinned(value: unknown): unknown {
  if (typeof value === 'string') return PINNED.test(value) ? OWN_PACKAGE : value;
  return Array.isArray(value) && value.some((word) => pinned(word) !== word) ? value.map(pinned) : value;
}

const PINNED = /^@mcpmux\/cli@\d/;

/** True if a script is in a checkout that was built, and is not installed as a package. */
export function isClone(script: string): boolean {
  return !script.split(/[\\/]/).includes('node_modules');
}

/** True if a server is mcpmux itself. In a config of mcpmux, it would start itself. */
export function isOwn({ command, args }: JsonObject): boolean {
  const words: readonly unknown[] = [command, ...(Array.isArray(args) ? args : [])];
  // Only the program matters, because a server may have a folder named mcpmux in its arguments.
  const run = words.filter((word) => typeof word === 'string').find((word) => !isRunner(word));
  return run !== undefined && (PACKAGE.test(run) || OWN_PROGRAMS.has(programOf(run)));
}

const OWN_PROGRAMS: ReadonlySet<string> = new Set([
  'mcpmux',
  'mcpmux.cjs',
  // the name before mcpmux became CommonJS
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
const RUNNER_WORDS: ReadonlySet<string> = new Set(['/c', '/C', 'exec', 'dlx', 'x', 'run']);

function isRunner(word: string): boolean {
  return (
    word.startsWith('-') ||
    RUNNER_WORDS.has(word) ||
    RUNNERS.has(programOf(word).replace(/\.(?:cmd|exe)$/, ''))
  );
}

function programOf(word: string): string {
  return basename(word.replaceAll('\\', '/'));
}
