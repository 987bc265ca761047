import process from 'node:process';
import { fileURLToPath } from 'node:url';

import type { FixtureName } from './fixture-list.js';

/** The command that runs a fixture. */
export interface FixtureCommand {
  readonly command: string;
  readonly args: string[];
}

/** Returns the absolute path of a fixture's built program. */
export function fixturePath(name: FixtureName): string {
  // `../dist` is the right path from this file in src, and from its bundled copy in dist.
  return fileURLToPath(new URL(`../dist/${name}.js`, import.meta.url));
}

/** Returns the command that runs a fixture with the Node.js of the calling process. */
export function fixtureCommand(name: FixtureName): FixtureCommand {
  return { command: process.execPath, args: [fixturePath(name)] };
}
