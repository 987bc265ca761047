import type { LoginStore } from '@mcpmux/core';

import { thisProcess } from '../config/this-process.js';

/** The logins of this user, whose code is loaded for the first server that wants one. */
export function lazyLogins(): LoginStore {
  const files = async (): Promise<LoginStore> => {
    const { LoginFiles } = await import('./login-files.js');
    return new LoginFiles(thisProcess());
  };
  return {
    load: async (url) => (await files()).load(url),
    save: async (url, login) => (await files()).save(url, login),
  };
}
