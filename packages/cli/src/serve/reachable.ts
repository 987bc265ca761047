import type { InstanceComponents } from '../live/instance-host.js';
import type { StderrLogger } from '../log/stderr-logger.js';

/** After the first requests of the client, whose answers must not be delayed. */
const REACHABLE_AFTER_MS = 100;

/** Lets commands of the same user reach this process, until it is closed. */
export function reachable(
  components: InstanceComponents,
  logger: StderrLogger,
): { readonly close: () => void } {
  let close = (): void => undefined;
  let isClosed = false;
  const timer = setTimeout(() => {
    void host(components, logger).then((closeHost) => {
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

/** mcpmux serves its client even if no socket can be opened. */
async function host(components: InstanceComponents, logger: StderrLogger): Promise<() => void> {
  try {
    const { hostInstance } = await import('../live/instance-host.js');
    const instance = await hostInstance(components);
    logger.log('debug', 'commands can reach this mcpmux', { socket: instance.announcement.socket });
    return () => instance.close();
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    logger.log('debug', 'commands cannot reach this mcpmux', { problem });
    return () => undefined;
  }
}
