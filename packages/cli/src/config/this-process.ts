import { homedir } from 'node:os';
import process from 'node:process';

import type { ConfigSearch } from './find-config.js';
import type { ConfigContext } from './load-config.js';

/** What the search for a config, and a config itself, depend on in this process. */
export function thisProcess(): Omit<ConfigSearch, 'flag'> & ConfigContext {
  return { cwd: process.cwd(), home: home(), platform: process.platform, environment: process.env };
}

/** A user without an entry in the system's list and without HOME has none: containers have such. */
function home(): string {
  try {
    return homedir();
  } catch {
    return '/';
  }
}
