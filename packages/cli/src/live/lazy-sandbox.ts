import type { Sandbox } from '@mcpmux/core';

/**
 * Returns the sandbox of servers. Its code is loaded for the first server that has one.
 *
 * @param config the config in use
 */
export function lazySandbox(config: string | undefined): Sandbox {
  let loaded: Promise<Sandbox> | undefined;
  const load = async (): Promise<Sandbox> => (await import('./server-sandbox.js')).serverSandbox(config);
  return {
    confine: async (program, settings) => (await (loaded ??= load())).confine(program, settings),
  };
}
