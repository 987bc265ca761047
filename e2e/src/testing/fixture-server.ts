import { fixtureCommand } from '@mcpmux/test-servers';

import { NODE } from './built-cli.js';

/** A fixture as arguments of `add_server`, run by the Node.js under test. */
export function fixtureServer(name: Parameters<typeof fixtureCommand>[0]): {
  command: string;
  args: string[];
} {
  return { command: NODE, args: fixtureCommand(name).args };
}
