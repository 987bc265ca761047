import { basename } from 'node:path';

import type { JsonObject } from '@mcpmux/clients';

import { VERSION } from '../base/version.js';

/** The published package in the version of this code: whoever starts it gets no other version. */
export const OWN_PACKAGE = `@mcpmux/cli@${VERSION}`;

const PACKAGE = /^@mcpmux\/cli(?:@.*)?$/;

/** How mcpmux is registered. */
export interface OwnTraits {
  readonly platform: NodeJS.Platform;
  /** This installation instead of the published package. */
  readonly local?: { readonly node: string; readonly script: string } | undefined;
  /** Further words of the command line. */
  readonly flags: readonly string[];
}

/** The entry that runs mcpmux. */
export function ownEntry({ platform, local, flags }: OwnTraits): JsonObject {
  if (local !== undefined) {
    // The single-file executable is its own script.
    const script = local.script === local.node ? [] : [local.script];
    return { command: local.node, args: [...script, ...flags] };
  }
  const npx = ['npx', '-y', OWN_PACKAGE, ...flags];
  // On Windows npx is a script, which only a shell runs.
  const [command, ...args] = platform === 'win32' ? ['cmd', '/c', ...npx] : npx;
  return { command, args };
}

/** The entry with the version of this code, where the entry names another. A tag, and no version, stay. */
export function withOwnVersion(entry: JsonObject): JsonObject {
  const words = Object.entries(entry).map(([key, value]) => [key, pinned(value)] as const);
  return words.every(([key, value]) => value === entry[key]) ? entry : Object.fromEntries(words);
}

function pinned(value: unknown): unknown {
  if (typeof value === 'string') return PINNED.test(value) ? OWN_PACKAGE : value;
  return Array.isArray(value) && value.some((word) => pinned(word) !== word) ? value.map(pinned) : value;
}

const PINNED = /^@mcpmux\/cli@\d/;

/** True when a script is not installed as a package, but stands in a checkout that was built. */
export function isClone(script: string): boolean {
  return !script.split(/[\\/]/).includes('node_modules');
}

/** True when a server is mcpmux itself: in a config of mcpmux, it would start itself. */
export function isOwn({ command, args }: JsonObject): boolean {
  const words: readonly unknown[] = [command, ...(Array.isArray(args) ? args : [])];
  // Only the program counts: a server may have a folder named mcpmux among its arguments.
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
