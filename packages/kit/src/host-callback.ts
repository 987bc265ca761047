import type { Logger } from './logger.js';

/**
 * Handles the rejection of a host callback that returns a promise although it should return nothing. An unhandled
 * rejection would end the host's process.
 */
export function afterCallback(result: unknown, failed: (error: unknown) => void = () => undefined): void {
  if (typeof result !== 'object' || result === null || !('then' in result)) return;
  Promise.resolve(result).catch(failed);
}

/** Returns a logger that never throws. If the host's logger throws, the error and the record are lost. */
export function guarded(logger: Logger): Logger {
  return {
    enabled: (level) => {
      try {
        return logger.enabled(level);
      } catch {
        return false;
      }
    },
    log: (level, message, fields) => {
      try {
        afterCallback(logger.log(level, message, fields));
      } catch {
        // If the logger itself fails, the failure cannot be logged.
      }
    },
  };
}
