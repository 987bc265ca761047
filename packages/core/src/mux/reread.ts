import { afterCallback, messageOf } from '@mcpmux/kit';
import { usableConfig } from '../server/config/usable-config.js';
import type { Reread } from '../server/lists/registration.js';
import type { AddOptions } from './add-options.js';

/** The configuration that a host has read anew; the error of the host where it could not. */
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

/** An error of the host does not affect the server, which is registered by now. */
function reported(registered: () => unknown): void {
  try {
    afterCallback(registered());
  } catch {
    // The host knows of its own error.
  }
}
