import process from 'node:process';

import { countsProjects, findConfig } from '@mcpmux/config/find';

import { readFileText } from '../base/file-text.js';
import { thisProcess } from '../config/this-process.js';
import type { ServeOptions } from './serve-options.js';

/** Matches config text that may contain the key `shared`, even with escapes. Other configs need not be loaded. */
const SHARED_SETTING = /"shared"|\\u/;

/** Resolves to true if the config requests a shared process, as `--shared` does. */
export async function wantsShared({
  catalog,
  config,
  projectConfig,
  socket,
}: Pick<ServeOptions, 'catalog' | 'config' | 'projectConfig' | 'socket'>): Promise<boolean> {
  if (socket === false) return false;
  const context = thisProcess();
  const projects = countsProjects(projectConfig, process.env);
  const found = findConfig({ ...context, flag: catalog ?? config, projects });
  // The reconciler later reports an unreadable file.
  if (found.kind !== 'found' || !SHARED_SETTING.test(readFileText(found.location.file) ?? '')) return false;
  const { loadConfig } = await import('@mcpmux/config');
  return loadConfig(found.location, context).isShared;
}
