import type { Mux } from '@mcpmux/core';

import type { ConfigFound } from '../config/find-config.js';
import type { Selection } from '../config/wanted-servers.js';
import type { StartedConfig } from './serve-config.js';
import type { StderrLogger } from '../log/stderr-logger.js';

/** A client has asked its first questions by then; nothing of this is to delay their answers. */
const REACHABLE_AFTER_MS = 100;

/** What this process serves. */
export interface Served {
  readonly found: ConfigFound;
  readonly started: Promise<StartedConfig> | undefined;
  /** Which servers of the config; all when absent. */
  readonly selection?: Selection | undefined;
}

/** Lets commands of the same user reach this process, until it is closed. */
export function reachable(mux: Mux, logger: StderrLogger, served: Served): { readonly close: () => void } {
  let close = (): void => undefined;
  let isClosed = false;
  const timer = setTimeout(() => {
    void host(mux, logger, served).then((closeHost) => {
      close = closeHost;
      if (isClosed) close();
    });
  }, REACHABLE_AFTER_MS).unref();
  return {
    close: () => {
      isClosed = true;
      clearTimeout(timer);
      close();
    },
  };
}

/** A place where no socket can be is no reason not to serve. */
async function host(
  mux: Mux,
  logger: StderrLogger,
  { found, started, selection }: Served,
): Promise<() => void> {
  try {
    const { hostInstance } = await import('../live/instance-host.js');
    const config = found.kind === 'found' ? found.location.file : undefined;
    const reloadConfig = async (): Promise<object> => (await started)?.reconciler.apply() ?? NO_CONFIG;
    const instance = await hostInstance({ mux, config, selection, reloadConfig });
    logger.log('debug', 'commands can reach this mcpmux', { socket: instance.announcement.socket });
    return () => instance.close();
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    logger.log('debug', 'commands cannot reach this mcpmux', { problem });
    return () => undefined;
  }
}

const NO_CONFIG = { isUsable: false, added: [], removed: [], changed: [], problems: ['it serves no config'] };
