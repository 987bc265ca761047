import process from 'node:process';

import { systemSandbox, type SandboxPlaces, type SystemSandbox } from '../system-sandbox.js';

/** Returns a sandbox of this machine with places of a test. */
export function hereSandbox(places: Omit<SandboxPlaces, 'caches'>): SystemSandbox {
  const caches = `${places.home}/.local/state/mcpmux/sandbox`;
  return systemSandbox({ ...places, caches }, { bubblewrap: process.env['MCPMUX_BWRAP'] || undefined });
}
