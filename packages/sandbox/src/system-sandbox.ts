import { hash } from 'node:crypto';
import { mkdirSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { bubblewrapArgs } from './bubblewrap.js';
import type { ClientPolicy } from './client-policy.js';
import type { Disk } from './disk.js';
import { splitEnvironment, withPrivateCaches } from './environment.js';
import { fileView, type ViewPaths, type ViewRule } from './file-view.js';
import { probeSystem, thisSystem, type Probed, type ProbedSystem } from './probe.js';
import { explainRefusals, findRefusals } from './refused.js';
import type { Confined, Sandbox, SandboxedProgram } from './sandbox.js';
import { seatbeltArgs } from './seatbelt.js';
import { networkReach, type SandboxSettings } from './settings.js';
import type { RuntimeEngine } from './runtime-engine.js';
import { SandboxError } from './sights.js';

/** The folders and paths that a sandbox uses on this machine. */
export interface SandboxPlaces {
  readonly home: string;
  /** The working directory of programs that do not specify one. */
  readonly cwd: string;
  /** The parent of the folders for package caches, of which each server has one. */
  readonly caches: string;
  /** Returns the paths that contain mcpmux's or clients' secrets. */
  readonly secrets: () => readonly string[];
}

/** The operating system functions that a {@link SystemSandbox} uses. */
export interface SandboxComponents {
  readonly system: ProbedSystem;
  readonly disk: Disk;
  /** Creates a folder and its parents. Only this user can access them. */
  readonly makeFolder: (path: string) => void;
  /** Returns the domain filter, or undefined if the filter is not installed. */
  readonly runtime: () => RuntimeEngine | undefined;
}

/** Folders for temporary files and sockets. In the sandbox, they are empty. */
const EMPTIED_FOLDERS = {
  linux: ['/tmp', '/var/tmp', '/run', '/var/run'],
  darwin: ['/private/tmp', '/private/var/tmp'],
} as const;
/**
 * Paths that programs need to resolve host names or to run on NixOS. They are in `/run`, or are often links into it.
 */
const NEEDED_PATHS = ['/etc/resolv.conf', '/run/current-system', '/run/opengl-driver', '/run/booted-system'];

const NO_DOMAIN_FILTER_PROBLEM =
  'Its sandbox has a list of domains, which only the sandbox runtime can filter, and that is not installed. Install ' +
  'it: npm install --global @anthropic-ai/sandbox-runtime, and on Linux also socat and ripgrep. Without it, set ' +
  '"network": true or false';

const CLIENT_LIMIT_NOTE =
  ' It follows the sandbox of its client ("follow"), which may refuse what the entry allows: then no line allows it.';

/** Environment variables whose values may differ each time the same server starts. */
const VOLATILE_VARIABLES: ReadonlySet<string> = new Set(['MCPMUX_CHILD', 'TERM']);

/**
 * Confines programs with the sandboxing program that this system provides. That program is tested once, by running it.
 */
export class SystemSandbox implements Sandbox {
  private probeResult: Promise<Probed> | undefined;

  constructor(
    private readonly places: SandboxPlaces,
    private readonly components: SandboxComponents,
  ) {}

  /** Tests the system on the first call. Every call returns the result of that test. */
  probed(): Promise<Probed> {
    return (this.probeResult ??= probeSystem(this.components.system));
  }

  async confine(
    program: SandboxedProgram,
    settings: SandboxSettings,
    policy?: ClientPolicy,
  ): Promise<Confined> {
    const probed = await this.probed();
    if (probed.kind === 'none')
      throw new SandboxError(
        `it has a sandbox, and this system cannot confine it: ${probed.problem}. ${probed.advice}.`,
      );
    const cwd = program.cwd ?? this.places.cwd;
    const cache = this.createCacheFolder(program);
    const { filesystem = {} } = settings;
    const view = fileView(filesystem, this.viewPaths(cwd, cache), this.components.disk, policy);
    const reach = policy?.network === false ? 'none' : networkReach(settings);
    const temporaryFolder = probed.kind === 'bubblewrap' ? '/tmp' : `${cache}/tmp`;
    const privateProgram = {
      ...program,
      cwd,
      env: withPrivateCaches(program.env, { cache, temporaryFolder, hasNetwork: reach !== 'none' }),
    };
    const explain = (stderr: readonly string[]): string | undefined => {
      const explanation = explainRefusals(findRefusals(stderr, { view, reach }));
      return explanation === undefined || policy === undefined
        ? explanation
        : `${explanation}${CLIENT_LIMIT_NOTE}`;
    };
    const confined =
      reach === 'domains'
        ? this.confineWithRuntime(privateProgram, settings, { view, cache, probed })
        : confineWith(probed, privateProgram, view, reach === 'all');
    return { ...confined, explain, policy };
  }

  private confineWithRuntime(
    program: SandboxedProgram & { readonly cwd: string },
    settings: SandboxSettings,
    parts: { readonly view: readonly ViewRule[]; readonly cache: string; readonly probed: Probed },
  ): Omit<Confined, 'explain'> {
    const runtime = this.components.runtime();
    if (runtime === undefined) throw new SandboxError(`${NO_DOMAIN_FILTER_PROBLEM}.`);
    return runtime.confine(program, settings, parts);
  }

  /**
   * Creates the folder for a program's package caches. Only the same command with the same environment and working
   * directory gets the same folder again. Otherwise an agent could choose another environment or working directory to
   * put programs into the caches.
   */
  private createCacheFolder({ command, args, cwd, env }: SandboxedProgram): string {
    const variableNames = Object.keys(env).filter((name) => !VOLATILE_VARIABLES.has(name));
    const stableVariables = variableNames.toSorted().map((name) => [name, env[name]]);
    const key = hash('sha256', JSON.stringify([command, args, cwd, stableVariables])).slice(0, 16);
    const folder = join(this.places.caches, key);
    this.components.makeFolder(join(folder, 'tmp'));
    return this.components.disk.real(folder) ?? folder;
  }

  private viewPaths(cwd: string, cache: string): ViewPaths {
    const { home, caches, secrets } = this.places;
    const { platform } = this.components.system;
    return {
      home,
      cwd,
      cache,
      emptiedFolders: EMPTIED_FOLDERS[platform === 'darwin' ? 'darwin' : 'linux'],
      neededPaths: platform === 'linux' ? NEEDED_PATHS : [],
      secrets: [caches, ...secrets()],
    };
  }
}

function confineWith(
  probed: Exclude<Probed, { readonly kind: 'none' }>,
  program: SandboxedProgram & { readonly cwd: string },
  view: readonly ViewRule[],
  hasNetwork: boolean,
): Omit<Confined, 'explain'> {
  const { outerVariables, loaderVariables } = splitEnvironment(program.env);
  const { cwd } = program;
  const confiningProgram = (args: readonly string[]): SandboxedProgram => ({
    command: probed.path,
    args,
    env: outerVariables,
    cwd,
  });
  if (probed.kind === 'sandbox-exec')
    return {
      program: confiningProgram(seatbeltArgs(program, { view, hasNetwork })),
      by: probed.kind,
      isWatched: false,
    };
  const { namespaces } = probed;
  const args = bubblewrapArgs(program, { view, namespaces, hasNetwork, cwd, variables: loaderVariables });
  return { program: confiningProgram(args), by: probed.kind, isWatched: true };
}

/** Programs that may be missing or at unusual paths. */
export interface SandboxPrograms {
  /** The path of bubblewrap. If absent, its usual install paths are searched. */
  readonly bubblewrap?: string | undefined;
  /** Returns the domain filter, or undefined if the filter is not installed. */
  readonly runtime?: () => RuntimeEngine | undefined;
}

/** Creates the sandbox for this machine. */
export function systemSandbox(
  places: SandboxPlaces,
  { bubblewrap, runtime = () => undefined }: SandboxPrograms = {},
): SystemSandbox {
  const system = thisSystem(bubblewrap);
  return new SystemSandbox(places, { system, disk: systemDisk, makeFolder: makePrivateFolder, runtime });
}

/** The file system of this machine. */
export const systemDisk: Disk = {
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
