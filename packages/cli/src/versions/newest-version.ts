import { execFile } from 'node:child_process';

import { isObject } from '@mcpmux/clients';
import { MuxError } from '@mcpmux/core';
import { findProgram } from '@mcpmux/programs';

import { jsonObject } from '../base/json-object.js';
import { printable } from '../terminal/columns.js';
import { imageDigest } from './image-digest.js';
import type { PackageTarget } from './package-target.js';

/** A package without a version, or an image with its tag. */
export type UnversionedPackage = Pick<PackageTarget, 'kind' | 'name'>;

/** Finds the newest version of a package. If `server` is set, uses the environment of that server. */
export type FindNewest = (sought: UnversionedPackage, server?: string) => Promise<string>;

/** The environment variables and the working directory of a program. */
export interface SpawnOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
}

const TIMEOUT_MS = 20_000;

/**
 * Returns a function that finds the newest version of a package. Uses npm and uv, because only they use the same
 * registries, proxies and logins as `npx` and `uvx`.
 *
 * @param spawnOptionsOf returns the environment of a configured server
 */
export function versionFinder(spawnOptionsOf: (server?: string) => SpawnOptions): FindNewest {
  return ({ kind, name }, server) => {
    switch (kind) {
      case 'npm':
        return newestOfNpm(name, spawnOptionsOf(server));
      case 'pypi':
        return newestOfPypi(name, spawnOptionsOf(server));
      case 'oci':
        return imageDigest(name);
    }
  };
}

async function newestOfNpm(name: string, spawnOptions: SpawnOptions): Promise<string> {
  const words = ['view', name, 'version', '--json', '--fetch-retries=0', '--loglevel=error'];
  const text = await runProgram('npm', words, spawnOptions);
  return versionIn(/^\s*"([^"\s]+)"\s*$/.exec(text)?.[1], 'npm');
}

/** Lets uv resolve the name as `uvx` does, for this Python and without yanked versions and pre-releases. */
async function newestOfPypi(name: string, spawnOptions: SpawnOptions): Promise<string> {
  const words = ['pip', 'compile', '-', '--quiet', '--no-deps', '--no-header', '--no-annotate'];
  const text = await runProgram('uv', words, spawnOptions, `${name}\n`);
  return versionIn(/==([^\s;]+)/.exec(text)?.[1], 'uv');
}

function versionIn(version: string | undefined, program: string): string {
  if (version !== undefined && /^\d[\w.!+-]*$/.test(version)) return version;
  throw new Error(`${program} names no version`);
}

/**
 * Returns the output of a program.
 *
 * @throws Error whose message is one line
 */
async function runProgram(
  program: string,
  words: readonly string[],
  spawnOptions: SpawnOptions,
  input = '',
): Promise<string> {
  const { command, args, ...options } = await programInPath(program, words, spawnOptions);
  return new Promise((resolve, reject) => {
    const child = execFile(command, args, { ...options, timeout: TIMEOUT_MS }, (error, stdout, stderr) => {
      if (error === null) resolve(stdout);
      else reject(new Error(reasonOf(program, error, stdout, stderr)));
    });
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(input);
  });
}

/** Finds a program only in PATH, and not in the working directory, which may be an untrusted repository. */
async function programInPath(program: string, args: readonly string[], { env, cwd }: SpawnOptions) {
  try {
    return await findProgram({ command: program, args, env: { ...env }, cwd });
  } catch (error) {
    if (error instanceof MuxError && error.code === 'COMMAND_NOT_FOUND')
      throw new Error(`${program} was not found in PATH`, { cause: error });
    throw error;
  }
}

function reasonOf(
  program: string,
  error: { readonly killed?: boolean },
  stdout: string,
  stderr: string,
): string {
  if (error.killed === true) return `${program} did not answer within ${TIMEOUT_MS / 1000} seconds`;
  // npm writes its error as JSON. uv writes a message followed by the cause.
  const { error: failure } = jsonObject(stdout) ?? {};
  const summary = isObject(failure) ? failure['summary'] : undefined;
  const line = typeof summary === 'string' ? summary : (/cause: (.*)/.exec(stderr)?.[1] ?? stderr.trim());
  return `${program} says: ${printable(line.split('\n', 1)[0] ?? '')}`;
}
