import process from 'node:process';

import { makePrivateFolder, SystemSandbox, thisDisk, type SandboxPlaces } from '../system-sandbox.js';
import { thisSystem } from '../probe.js';
import type { RuntimeEngine } from '../runtime-engine.js';

const system = thisSystem(process.env['MCPMUX_BWRAP'] || undefined);

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
