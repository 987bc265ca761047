import process from 'node:process';

import type { ConfigContext } from '@mcpmux/config';
import type { ConfigSearch } from '@mcpmux/config/find';

import { homeFolder } from '../base/home-folder.js';

/** Returns the values of this process that are needed to find and load a config. */
export function thisProcess(): Omit<ConfigSearch, 'flag'> & ConfigContext {
  return { cwd: process.cwd(), home: homeFolder(), platform: process.platform, environment: process.env };
}
