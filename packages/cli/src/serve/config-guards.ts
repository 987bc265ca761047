import type { ConfigGuards } from '@mcpmux/config';
import type { Logger, Mux } from '@mcpmux/core';
import type { ResultHost } from '@mcpmux/core/guards';

/** Loads the code of the guards and creates a config's guards. */
export async function createConfigGuards(mux: Mux, logger: Logger): Promise<ConfigGuards> {
  const { ConfigGuards: Guards } = await import('@mcpmux/config');
  return new Guards({ mux, logger, results: await createResultHost(logger) });
}

/** Applies the default guards to a mux without a config. */
export async function applyDefaultGuards(mux: Mux, logger: Logger): Promise<void> {
  const { largeResults } = await import('@mcpmux/core/guards');
  mux.use(largeResults({ mode: 'auto' }, await createResultHost(logger)));
}

async function createResultHost(logger: Logger): Promise<ResultHost> {
  const { RESULT_LIMITS: limits } = await import('@mcpmux/clients/result-limits');
  const { createResultFiles } = await import('./result-files.js');
  return { limits, files: createResultFiles(logger) };
}
