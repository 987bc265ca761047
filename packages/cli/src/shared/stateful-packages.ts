import { basename } from 'node:path';

import type { ServerConfig } from '@mcpmux/core';

/** Servers that keep a state for their one client: a browser, a shell, an active project, a chain of thoughts. */
const STATEFUL: ReadonlySet<string> = new Set([
  '@browserbasehq/mcp',
  '@browserbasehq/mcp-server-browserbase',
  '@browsermcp/mcp',
  '@executeautomation/playwright-mcp-server',
  '@modelcontextprotocol/server-puppeteer',
  '@modelcontextprotocol/server-sequential-thinking',
  '@playwright/mcp',
  '@wonderwhy-er/desktop-commander',
  'chrome-devtools-mcp',
  'git+https://github.com/oraios/serena',
  'mcp-server-playwright',
  'mcp-server-puppeteer',
  'mcp-server-sequential-thinking',
  'mcp/playwright',
  'mcp/puppeteer',
  'mcp/sequentialthinking',
  'mcr.microsoft.com/playwright/mcp',
  'puppeteer-mcp-server',
  'serena-agent',
  'serena-mcp-server',
]);

/** Servers that ask their client for its roots, unless the command line names folders. */
const OF_FOLDERS: ReadonlySet<string> = new Set([
  '@modelcontextprotocol/server-filesystem',
  'mcp-server-filesystem',
]);

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
