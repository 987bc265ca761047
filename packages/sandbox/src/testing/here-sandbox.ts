import process from 'node:process';

import { makePrivateFolder, SystemSandbox, thisDisk, type SandboxPlaces } from '../system-sandbox.js';
import { probe, thisSystem } from '../probe.js';
import type { RuntimeEngine } from '../runtime-engine.js';

const system = thisSystem(process.env['MCPMUX_BWRAP'] || undefined);

/** True if bubblewrap runs here. */
export const hasBubblewrap = (await probe(system)).kind === 'bubblewrap';

/** Returns a sandbox with places of a test. */
export function hereSandbox(
  places: Omit<SandboxPlaces, 'caches'>,
  runtime: () => RuntimeEngine | undefined = () => undefined,
): SystemSandbox {
  const caches = `${places.home}/.local/state/mcpmux/sandbox`;
  return new SystemSandbox(
    { ...places, caches },
    { system, disk: thisDisk, makeFolder: makePrivateFolder, runtime },
  );
}
