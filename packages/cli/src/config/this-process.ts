import process from 'node:process';

import type { ConfigContext } from '@mcpmux/config';
import type { ConfigSearch } from '@mcpmux/config/find';

import { homeFolder } from '../base/home-folder.js';

/** Returns the working directory, home folder, platform and environment with which a config is found and loaded. */
export function thisProcess(): Omit<ConfigSearch, 'flag'> & ConfigContext {
  return { cwd: process.cwd(), home: homeFolder(), platform: process.platform, environment: process.env };
}
