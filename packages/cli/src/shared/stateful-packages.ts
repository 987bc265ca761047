import { basename } from 'node:path';

import type { ServerConfig } from '@mcpmux/core';

import known from './stateful-packages.json' with { type: 'json' };

/** Servers that keep a state for their one client: a browser, a shell, an active project, a chain of thoughts. */
const STATEFUL: ReadonlySet<string> = new Set(known.stateful);
/** Servers that ask their client for its roots, unless the command line names folders. */
const OF_FOLDERS: ReadonlySet<string> = new Set(known.ofFolders);

/** Returns the known package in a command line whose server keeps a state for its client. */
export function statefulPackage(config: ServerConfig): string | undefined {
  if (config.url !== undefined) return undefined;
  const words = [basename(config.command).replace(/\.(?:cmd|exe)$/, ''), ...(config.args ?? [])];
  const names = words.map(packageOf);
  const stateful = names.find((name) => STATEFUL.has(name));
  if (stateful !== undefined) return stateful;
  const at = names.findIndex((name) => OF_FOLDERS.has(name));
  const hasFolders = words.slice(at + 1).some((word) => !word.startsWith('-'));
  return at === -1 || hasFolders ? undefined : names[at];
}

/**
 * Returns the package that a word of a command line names, without the version, or the package that contains a named
 * file.
 */
function packageOf(word: string): string {
  const installed = /.*node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/.exec(word)?.[1];
  if (installed !== undefined) return installed.replaceAll('\\', '/');
  return word.replace(/(?<=.)@[^@/]*$/, '').replace(/:[^:/]*$/, '');
}
