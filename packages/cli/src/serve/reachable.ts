import { messageOf } from '@mcpmux/core';

import type { InstanceComponents } from '../live/instance-components.js';
import type { StderrLogger } from '../log/stderr-logger.js';

/** The delay before the socket is opened, so that responses to the client's first requests are not delayed. */
const REACHABLE_AFTER_MS = 100;

/**
 * Lets commands of the same user reach this process, until it is closed.
 *
 * @param needed resolves to false for a process that a client started only as a probe, which commands must not find
 */
export function reachable(
  components: InstanceComponents,
  logger: StderrLogger,
  needed: Promise<boolean> = Promise.resolve(true),
): { readonly close: () => void } {
  let close = (): void => undefined;
  let isClosed = false;
  // A call that needs an approval waits for the socket. The socket then watches by itself.
  const unwatch = components.mux.approvals.watch(() => undefined);
  const timer = setTimeout(() => {
    void needed.then(async (isNeeded) => {
      if (isNeeded && !isClosed) close = await host(components, logger);
      unwatch();
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

/** Opens the socket. If that fails, mcpmux still serves its client. */
async function host(components: InstanceComponents, logger: StderrLogger): Promise<() => void> {
  try {
    const { hostInstance } = await import('../live/instance-host.js');
    const instance = await hostInstance(components);
    logger.log('debug', 'commands can reach this mcpmux', { socket: instance.announcement.socket });
    return () => instance.close();
  } catch (error) {
    logger.log('debug', 'commands cannot reach this mcpmux', { problem: messageOf(error) });
    return () => undefined;
  }
}
