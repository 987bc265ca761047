import { basename } from 'node:path';

import type { ServerConfig } from '@mcpmux/core';

import known from './stateful-packages.json' with { type: 'json' };

/** Packages whose servers keep state for a single client, such as a browser, a shell or a project. */
const STATEFUL_PACKAGES: ReadonlySet<string> = new Set(known.stateful);
/** Packages whose servers request their client's roots, unless the command line contains folders. */
const ROOTS_PACKAGES: ReadonlySet<string> = new Set(known.ofFolders);

/** Returns the package that a server's command line runs, if each client is known to need a separate run of it. */
export function statefulPackage(config: ServerConfig): string | undefined {
  if (config.url !== undefined) return undefined;
  const words = [basename(config.command).replace(/\.(?:cmd|exe)$/, ''), ...(config.args ?? [])];
  const names = words.map(packageOf);
  const statefulName = names.find((name) => STATEFUL_PACKAGES.has(name));
  if (statefulName !== undefined) return statefulName;
  const index = names.findIndex((name) => ROOTS_PACKAGES.has(name));
  const hasFolders = words.slice(index + 1).some((word) => !word.startsWith('-'));
  return index === -1 || hasFolders ? undefined : names[index];
}

/** Returns the package that a word names, without its version, or the installed package that a path leads into. */
function packageOf(word: string): string {
  const installedPackage = /.*node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/.exec(word)?.[1];
  if (installedPackage !== undefined) return installedPackage.replaceAll('\\', '/');
  return word.replace(/(?<=.)@[^@/]*$/, '').replace(/:[^:/]*$/, '');
}
