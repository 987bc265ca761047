import { hash } from 'node:crypto';
import { mkdirSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { bubblewrapArgs } from './bubblewrap.js';
import type { Disk } from './disk.js';
import { splitEnvironment, withOwnCaches } from './environment.js';
import { fileView, SandboxError, type ViewPlaces, type ViewRule } from './file-view.js';
import { probe, thisSystem, type Probed, type ProbedSystem } from './probe.js';
import { explainRefusals, refusedBy } from './refused.js';
import type { Confined, Sandbox, SandboxedProgram } from './sandbox.js';
import { seatbeltArgs } from './seatbelt.js';
import { networkReach, type SandboxSettings } from './settings.js';
import type { RuntimeEngine } from './runtime-engine.js';

/** The places of a sandbox on one machine. */
export interface SandboxPlaces {
  readonly home: string;
  /** The working directory of programs that name none. */
  readonly cwd: string;
  /** The folder in which each server gets one for its package caches. */
  readonly caches: string;
  /** Returns the paths that hold secrets of mcpmux and of clients. */
  readonly secrets: () => readonly string[];
}

/** The effects of a {@link SystemSandbox} on its machine. */
export interface SandboxComponents {
  readonly system: ProbedSystem;
  readonly disk: Disk;
  /** Makes a folder, and the folders above it, for this user alone. */
  readonly makeFolder: (path: string) => void;
  /** Filters domains; absent if it is not installed. */
  readonly runtime: () => RuntimeEngine | undefined;
}

/** Folders for temporary files and sockets. A confined program gets empty ones. */
const EMPTIED = {
  linux: ['/tmp', '/var/tmp', '/run', '/var/run'],
  darwin: ['/private/tmp', '/private/var/tmp'],
} as const;
/** Files below `/run` that programs need: names of hosts, and the programs of NixOS. */
const NEEDED = ['/etc/resolv.conf', '/run/current-system', '/run/opengl-driver', '/run/booted-system'];

const DOMAINS_NEED =
  'Its sandbox has a list of domains, which only the sandbox runtime can filter, and that is not installed. Install ' +
  'it: npm install --global @anthropic-ai/sandbox-runtime, and on Linux also socat and ripgrep. Without it, set ' +
  '"network": true or false';

/** Variables that differ from start to start. */
const CHANGING: ReadonlySet<string> = new Set(['MCPMUX_CHILD', 'TERM']);

/** Confines programs by what this system has. Tests it by running, once. */
export class SystemSandbox implements Sandbox {
  private probing: Promise<Probed> | undefined;

  constructor(
    private readonly places: SandboxPlaces,
    private readonly components: SandboxComponents,
  ) {}

  /** Returns what confines here. */
  probed(): Promise<Probed> {
    return (this.probing ??= probe(this.components.system));
  }

  async confine(program: SandboxedProgram, settings: SandboxSettings): Promise<Confined> {
    const probed = await this.probed();
    if (probed.kind === 'none')
      throw new SandboxError(
        `it has a sandbox, and this system cannot confine it: ${probed.problem}. ${probed.advice}.`,
      );
    const cwd = program.cwd ?? this.places.cwd;
    const cache = this.cacheOf(program);
    const view = fileView(settings.filesystem ?? {}, this.viewPlaces(cwd, cache), this.components.disk);
    const reach = networkReach(settings);
    const temporary = probed.kind === 'bubblewrap' ? '/tmp' : `${cache}/tmp`;
    const own = {
      ...program,
      cwd,
      env: withOwnCaches(program.env, { cache, temporary, hasNetwork: reach !== 'none' }),
    };
    const explain = (stderr: readonly string[]): string | undefined =>
      explainRefusals(refusedBy(stderr, { view, reach }));
    if (reach === 'domains') return { ...this.filtered(own, settings, { view, cache, probed }), explain };
    return { ...confinedBy(probed, own, view, reach === 'all'), explain };
  }

  private filtered(
    program: SandboxedProgram & { readonly cwd: string },
    settings: SandboxSettings,
    parts: { readonly view: readonly ViewRule[]; readonly cache: string; readonly probed: Probed },
  ): Omit<Confined, 'explain'> {
    const runtime = this.components.runtime();
    if (runtime === undefined) throw new SandboxError(`${DOMAINS_NEED}.`);
    return runtime.confine(program, settings, parts);
  }

  /**
   * Makes the folder of a program's own caches. Only the same program has the same folder at each start: with another
   * environment or working directory, such as that of an agent, it could put programs into the caches of the first.
   */
  private cacheOf({ command, args, cwd, env }: SandboxedProgram): string {
    const names = Object.keys(env).filter((name) => !CHANGING.has(name));
    const lasting = names.toSorted().map((name) => [name, env[name]]);
    const key = hash('sha256', JSON.stringify([command, args, cwd, lasting])).slice(0, 16);
    const folder = join(this.places.caches, key);
    this.components.makeFolder(join(folder, 'tmp'));
    return this.components.disk.real(folder) ?? folder;
  }

  private viewPlaces(cwd: string, cache: string): ViewPlaces {
    const { home, caches, secrets } = this.places;
    const { platform } = this.components.system;
    return {
      home,
      cwd,
      cache,
      emptied: EMPTIED[platform === 'darwin' ? 'darwin' : 'linux'],
      needed: platform === 'linux' ? NEEDED : [],
      secrets: [caches, ...secrets()],
    };
  }
}

function confinedBy(
  probed: Exclude<Probed, { readonly kind: 'none' }>,
  program: SandboxedProgram & { readonly cwd: string },
  view: readonly ViewRule[],
  hasNetwork: boolean,
): Omit<Confined, 'explain'> {
  const { passed, inner } = splitEnvironment(program.env);
  const { cwd } = program;
  const started = (args: readonly string[]): SandboxedProgram => ({
    command: probed.path,
    args,
    env: passed,
    cwd,
  });
  if (probed.kind === 'sandbox-exec')
    return {
      program: started(seatbeltArgs(program, { view, hasNetwork })),
      by: probed.kind,
      isWatched: false,
    };
  const { namespaces } = probed;
  const args = bubblewrapArgs(program, { view, namespaces, hasNetwork, cwd, variables: inner });
  return { program: started(args), by: probed.kind, isWatched: true };
}

/** Where a system has other programs than in the places of packages. */
export interface SandboxPrograms {
  /** The file of bubblewrap. */
  readonly bubblewrap?: string | undefined;
  /** Returns the filter of domains; undefined if it is not installed. */
  readonly runtime?: () => RuntimeEngine | undefined;
}

/** Returns the sandbox of this machine. */
export function systemSandbox(
  places: SandboxPlaces,
  { bubblewrap, runtime = () => undefined }: SandboxPrograms = {},
): SystemSandbox {
  const system = thisSystem(bubblewrap);
  return new SystemSandbox(places, { system, disk: thisDisk, makeFolder: makePrivateFolder, runtime });
}

/** The file system of this machine. */
export const thisDisk: Disk = {
  real: (path) => {
    try {
      return realpathSync.native(path);
    } catch {
      return undefined;
    }
  },
  isFolder: (path) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true,
};

function makePrivateFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
}
