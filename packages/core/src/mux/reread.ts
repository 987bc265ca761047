import { afterCallback, messageOf } from '@mcpmux/kit';
import { usableConfig } from '../server/config/usable-config.js';
import type { Reread } from '../server/lists/registration.js';
import type { AddOptions } from './add-options.js';

/** Returns the configuration that a host has read again, or the host's error if reading failed. */
export function rereadBy(read: NonNullable<AddOptions['reread']>): Reread {
  try {
    const { config, tools: view, remembered, registered } = read();
    return {
      config: usableConfig(config),
      view,
      remembered,
      registered: registered && (() => reported(registered)),
    };
  } catch (error) {
    return { config: { problem: messageOf(error) } };
  }
}

/** Calls a callback of the host. Its error does not affect the server, which is already registered. */
function reported(registered: () => unknown): void {
  try {
    afterCallback(registered());
  } catch {
    // The error is the host's own, so it is not reported.
  }
}
