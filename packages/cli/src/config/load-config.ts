import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

import type { ServerConfig } from '@mcpmux/core';

import { inOrder, type ConfigProblem } from './config-problem.js';
import type { ConfigLocation } from './find-config.js';
import type { InterpolationSources } from './interpolate.js';
import { readConfig } from './read-config.js';
import { resolveServer } from './resolve-server.js';

/** A server of a config, with everything replaced in it. */
export type LoadedServer =
  | { readonly status: 'ready'; readonly name: string; readonly config: ServerConfig }
  | { readonly status: 'disabled' | 'misconfigured'; readonly name: string };

/** A config file, read and checked. */
export interface LoadedConfig {
  readonly file: string;
  /** False when nothing of it can be used. */
  readonly isUsable: boolean;
  readonly servers: readonly LoadedServer[];
  readonly problems: readonly ConfigProblem[];
}

/** What a config is loaded with, besides its file. */
export interface ConfigContext {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly cwd: string;
}

/** Reads a config file and replaces the placeholders in it. Never throws: what is wrong stands in the problems. */
export function loadConfig(
  { file, folder }: ConfigLocation,
  { environment, home, cwd }: ConfigContext,
  readFile: (path: string) => string = readText,
): LoadedConfig {
  const text = attempt(() => readFile(file));
  if (text === undefined) return unreadable(file);
  const { isUsable, entries, problems, report } = readConfig(file, text);
  const sources: InterpolationSources = {
    environment,
    home,
    cwd,
    workspaceFolder: folder,
    readFile: (path) => readFile(resolve(folder, path)),
  };
  const all = [...problems];
  const servers = entries.map((entry): LoadedServer => {
    if (!('server' in entry)) return { name: entry.name, status: entry.kind };
    const resolution = resolveServer(entry, report, sources);
    all.push(...resolution.problems);
    const { config } = resolution;
    return config === undefined
      ? { name: entry.name, status: 'misconfigured' }
      : { name: entry.name, status: 'ready', config };
  });
  return { file, isUsable, servers, problems: inOrder(all) };
}

function unreadable(file: string): LoadedConfig {
  const message = 'the file cannot be read: check that it exists and that its permissions allow it';
  const problem: ConfigProblem = { severity: 'error', file, line: 1, column: 1, path: '', message };
  return { file, isUsable: false, servers: [], problems: [problem] };
}

function readText(path: string): string {
  return readFileSync(path, 'utf8');
}

function attempt<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
