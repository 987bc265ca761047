import process from 'node:process';

import { homeFolder } from '../base/home-folder.js';
import type { ConfigSearch } from './find-config.js';
import type { ConfigContext } from './load-config.js';

/** The inputs of the config search and of a config, from this process. */
export function thisProcess(): Omit<ConfigSearch, 'flag'> & ConfigContext {
  return { cwd: process.cwd(), home: homeFolder(), platform: process.platform, environment: process.env };
}
