import { hash } from 'node:crypto';
import { existsSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

import type { ViewRule } from './file-view.js';
import type { Probed } from './probe.js';
import { wrapProgram, runtimeSettings } from './runtime.js';
import type { Confined, SandboxedProgram } from './sandbox.js';
import { domainsOf, type SandboxSettings } from './settings.js';

const RUNTIME_PACKAGE = '@anthropic-ai/sandbox-runtime';
/** The runtime's own environment variables. Only administrators can write to the folders in its PATH. */
const SHARED_VARIABLES = [
  'HOME',
  'USER',
  'LANG',
  'LC_ALL',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'http_proxy',
  'https_proxy',
];
const SYSTEM_PATH = '/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin';

/** The parts of a sandbox that the runtime needs. */
interface RuntimeContext {
  readonly view: readonly ViewRule[];
  readonly cache: string;
  readonly probed: Probed;
}

/** Confines programs with `@anthropic-ai/sandbox-runtime`, a Node.js program. */
export class RuntimeEngine {
  /** @param command the path of the runtime's program `srt` */
  constructor(private readonly command: string) {}

  /**
   * Returns the program that starts another program in the runtime. Writes the settings next to the server's caches.
   */
  confine(
    program: SandboxedProgram,
    settings: SandboxSettings,
    { view, cache, probed }: RuntimeContext,
  ): Omit<Confined, 'explain'> {
    const bwrapPath = probed.kind === 'bubblewrap' ? probed.path : undefined;
    const settingsJson = JSON.stringify(runtimeSettings({ view, domains: domainsOf(settings), bwrapPath }));
    // Each version of the settings gets its own file, which never changes: the settings may differ between a server's
    // starts, and the runtime may read its settings file late.
    const settingsFile = `${cache}-${hash('sha256', settingsJson).slice(0, 16)}.json`;
    writeFileSync(`${settingsFile}.${process.pid}`, settingsJson, { mode: 0o600 });
    renameSync(`${settingsFile}.${process.pid}`, settingsFile);
    const { environment, command } = wrapProgram(program, {
      ...Object.fromEntries(SHARED_VARIABLES.map((name) => [name, process.env[name]])),
      MCPMUX_CHILD: program.env['MCPMUX_CHILD'],
      PATH: SYSTEM_PATH,
    });
    const args = [this.command, '--settings', settingsFile, '--', ...command];
    return {
      program: { ...program, command: process.execPath, args, env: environment },
      by: 'sandbox-runtime',
      isWatched: false,
    };
  }
}

/** Finds the runtime among this Node.js's global packages, or next to the package `from`. */
export function findRuntime(from: string): RuntimeEngine | undefined {
  const beside = (): string | undefined => {
    try {
      return createRequire(from).resolve(RUNTIME_PACKAGE);
    } catch {
      return undefined;
    }
  };
  const globally = join(
    dirname(dirname(process.execPath)),
    'lib',
    'node_modules',
    RUNTIME_PACKAGE,
    'dist',
    'index.js',
  );
  const entry = existsSync(globally) ? globally : beside();
  if (entry === undefined) return undefined;
  const command = join(dirname(entry), 'cli.js');
  return existsSync(command) ? new RuntimeEngine(command) : undefined;
}
