import { messageOf } from '@mcpmux/core';

import type { InstanceComponents } from '../live/instance-components.js';
import type { StderrLogger } from '../log/stderr-logger.js';

/** The delay before the socket opens, in milliseconds, so that opening it does not slow the client's first requests. */
const OPEN_DELAY_MS = 100;

/**
 * Makes this process reachable by commands of the same user, until the returned `close` is called.
 *
 * @param needed resolves to false if a client started this process only as a probe. Commands must not find a probe.
 */
export function openSocketLater(
  components: InstanceComponents,
  logger: StderrLogger,
  needed: Promise<boolean> = Promise.resolve(true),
): { readonly close: () => void } {
  let close = (): void => undefined;
  let isClosed = false;
  // Calls of clients that cannot show forms wait for approval only while a watcher exists. This one bridges the time
  // until the open socket has a watcher of its own.
  const unwatch = components.mux.approvals.watch(() => undefined);
  const timer = setTimeout(() => {
    void needed.then(async (isNeeded) => {
      if (isNeeded && !isClosed) close = await openSocket(components, logger);
      unwatch();
      if (isClosed) close();
    });
  }, OPEN_DELAY_MS).unref();
  return {
    close: () => {
      isClosed = true;
      clearTimeout(timer);
      close();
    },
  };
}

/** Opens the socket. A failure is only logged, because mcpmux can still serve its client. */
async function openSocket(components: InstanceComponents, logger: StderrLogger): Promise<() => void> {
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
