import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';

import { bubblewrapArgs, NAMESPACE_OPTIONS } from './bubblewrap.js';
import type { ViewRule } from './file-view.js';
import { seatbeltArgs } from './seatbelt.js';

/** The program that can confine other programs on this system, as found by running it. */
export type Probed =
  | {
      readonly kind: 'bubblewrap';
      readonly path: string;
      /** The user namespace options that work on this system. */
      readonly namespaces: readonly string[];
    }
  | { readonly kind: 'sandbox-exec'; readonly path: string }
  | {
      readonly kind: 'none';
      /** Why no program can confine others. */
      readonly problem: string;
      /** The program to install, or the setting to change. */
      readonly advice: string;
    };

/** Runs a program. Resolves to undefined if it succeeds, or to the first line of its stderr if it fails. */
export type TryProgram = (path: string, args: readonly string[]) => Promise<string | undefined>;

/** The system on which to confine programs. */
export interface ProbedSystem {
  readonly platform: NodeJS.Platform;
  /** The path of bubblewrap. If absent, its usual install paths are searched. */
  readonly bubblewrap?: string | undefined;
  readonly exists: (path: string) => boolean;
  readonly run: TryProgram;
}

/**
 * The usual install paths of bubblewrap. PATH is not searched, because it may contain a folder that a server can write.
 */
const BUBBLEWRAP_PATHS = [
  ['/usr/bin/bwrap', '/bin/bwrap', '/usr/local/bin/bwrap', '/run/current-system/sw/bin/bwrap'],
  [
    '/run/wrappers/bin/bwrap',
    '/nix/var/nix/profiles/default/bin/bwrap',
    '/home/linuxbrew/.linuxbrew/bin/bwrap',
  ],
].flat();
const SANDBOX_EXEC_PATH = '/usr/bin/sandbox-exec';
const NO_OP_PROGRAM = { command: '/bin/sh', args: ['-c', ':'] };
/** Contains an empty folder, to test whether bubblewrap supports `--perms`, which old versions lack. */
const TEST_VIEW: readonly ViewRule[] = [
  { path: '/tmp', sight: 'empty', isFolder: true, isPassable: false },
  { path: '/etc', sight: 'read-only', isFolder: true, isPassable: false },
];
const INSTALL_ADVICE =
  'Install bubblewrap: apt install bubblewrap, dnf install bubblewrap, apk add bubblewrap or pacman -S bubblewrap';
const NAMESPACE_ADVICE =
  'The system denies user namespaces. On Ubuntu, give bwrap an AppArmor profile with "userns,"; in a container, allow ' +
  'user namespaces (docs/sandbox.md has both), or run the server in a container of its own';
const CONTAINER_ADVICE =
  'Run the server in a container (docs/sandbox.md has a recipe), or set "sandbox": "off" in its entry';

/** Finds a program that can confine other programs on this system, by trying to run each candidate. */
export async function probeSystem(system: ProbedSystem): Promise<Probed> {
  if (system.platform === 'linux') return probeBubblewrap(system);
  if (system.platform === 'darwin') return probeSeatbelt(system);
  return { kind: 'none', problem: `mcpmux has no sandbox for ${system.platform}`, advice: CONTAINER_ADVICE };
}

async function probeBubblewrap({ bubblewrap, exists, run }: ProbedSystem): Promise<Probed> {
  const path = (bubblewrap === undefined ? BUBBLEWRAP_PATHS : [bubblewrap]).find(exists);
  if (path === undefined)
    return { kind: 'none', problem: 'bubblewrap is not installed', advice: INSTALL_ADVICE };
  const problems: string[] = [];
  for (const namespaces of NAMESPACE_OPTIONS) {
    const rules = { view: TEST_VIEW, namespaces, hasNetwork: false, cwd: '/', variables: {} };
    const problem = await run(path, bubblewrapArgs(NO_OP_PROGRAM, rules));
    if (problem === undefined) return { kind: 'bubblewrap', path, namespaces };
    problems.push(problem);
  }
  return { kind: 'none', problem: `${path} does not run here: ${problems.at(-1)}`, advice: NAMESPACE_ADVICE };
}

async function probeSeatbelt({ exists, run }: ProbedSystem): Promise<Probed> {
  const path = SANDBOX_EXEC_PATH;
  if (!exists(path)) return { kind: 'none', problem: `there is no ${path}`, advice: CONTAINER_ADVICE };
  const problem = await run(path, seatbeltArgs(NO_OP_PROGRAM, { view: [], hasNetwork: false }));
  if (problem === undefined) return { kind: 'sandbox-exec', path };
  return { kind: 'none', problem: `${path} does not run here: ${problem}`, advice: CONTAINER_ADVICE };
}

/** The time limit for one test, in milliseconds. */
const TEST_TIMEOUT_MS = 5000;

/** Runs a program on this system, without environment variables. */
export const tryProgram: TryProgram = (path, args) =>
  new Promise((resolve) => {
    execFile(path, args, { timeout: TEST_TIMEOUT_MS, env: {}, cwd: '/' }, (error, _stdout, stderr) => {
      if (error === null) resolve(undefined);
      else resolve(stderr.split('\n')[0] || error.message.split('\n')[0] || 'it failed without a word');
    });
  });

/** Describes the system on which this process runs. */
export function thisSystem(bubblewrap: string | undefined): ProbedSystem {
  return { platform: process.platform, bubblewrap, exists: existsSync, run: tryProgram };
}
