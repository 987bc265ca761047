import type { fixtureCommand } from '@mcpmux/test-servers';

import { cleanEnvironment } from '../../testing/built-cli.js';
import { fixtureServer } from '../../testing/fixture-server.js';
import type { Program } from '../wire.js';

/** A fixture as the server of a script. */
export function fixtureProgram(name: Parameters<typeof fixtureCommand>[0]): Program {
  return { ...fixtureServer(name), env: cleanEnvironment() };
}

/** What every script with a fixture begins with. */
export const HANDSHAKE = {
  row: 'A2',
  method: 'initialize',
  does: 'the server introduces itself',
  rules: ['capabilities', 'server info', 'instructions'],
  run: () => Promise.resolve(),
} as const;
