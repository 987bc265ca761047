import { messageOf } from '@mcpmux/core';

import type { InstanceComponents } from '../live/instance-connection.js';
import type { StderrLogger } from '../log/stderr-logger.js';

/** After the first requests of the client, whose answers must not be delayed. */
const REACHABLE_AFTER_MS = 100;

/**
 * Lets commands of the same user reach this process, until it is closed.
 *
 * @param needed false for a process that was started for a probe: nobody is to find it
 */
export function reachable(
  components: InstanceComponents,
  logger: StderrLogger,
  needed: Promise<boolean> = Promise.resolve(true),
): { readonly close: () => void } {
  let close = (): void => undefined;
  let isClosed = false;
  const timer = setTimeout(() => {
    void needed.then(async (isNeeded) => {
      if (!isNeeded || isClosed) return;
      close = await host(components, logger);
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

/** mcpmux serves its client even if no socket can be opened. */
async function host(components: InstanceComponents, logger: StderrLogger): Promise<() => void> {
  try {
    const { hostInstance } = await import('../live/instance-host.js');
    const instance = await hostInstance(components);
    logger.log('debug', 'commands can reach this mcpmux', { socket: instance.announcement.socket });
    return () => instance.close();
  } catch (error) {
    const problem = messageOf(error);
    logger.log('debug', 'commands cannot reach this mcpmux', { problem });
    return () => undefined;
  }
}
