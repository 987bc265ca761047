import { execFile } from 'node:child_process';

import { isObject } from '@mcpmux/clients';
import { MuxError } from '@mcpmux/core';
import { findProgram } from '@mcpmux/programs';

import { parseJsonObject } from '../base/json-object.js';
import { printable } from '../terminal/columns.js';
import { fetchImageDigest } from './image-digest.js';
import type { PackageTarget } from './package-target.js';

/** A package without a version, or an image with a tag but no digest. */
export type UnversionedPackage = Pick<PackageTarget, 'kind' | 'name'>;

/** Finds a package's newest version, or an image's current digest. Uses the environment of `server`, if it is set. */
export type FindNewestVersion = (sought: UnversionedPackage, server?: string) => Promise<string>;

/** The environment variables and the working directory for a program to start. */
export interface SpawnOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
}

const TIMEOUT_MS = 20_000;

/**
 * Returns a function that finds a package's newest version. It runs npm or uv, because they use the same registries,
 * proxies and logins as `npx` and `uvx`.
 *
 * @param spawnOptionsOf returns the environment and the working directory of a configured server
 */
export function versionFinder(spawnOptionsOf: (server?: string) => SpawnOptions): FindNewestVersion {
  return ({ kind, name }, server) => {
    switch (kind) {
      case 'npm':
        return newestNpmVersion(name, spawnOptionsOf(server));
      case 'pypi':
        return newestPypiVersion(name, spawnOptionsOf(server));
      case 'oci':
        return fetchImageDigest(name);
    }
  };
}

async function newestNpmVersion(name: string, spawnOptions: SpawnOptions): Promise<string> {
  const commandArguments = ['view', name, 'version', '--json', '--fetch-retries=0', '--loglevel=error'];
  const text = await runProgram('npm', commandArguments, spawnOptions);
  return requireVersion(/^\s*"([^"\s]+)"\s*$/.exec(text)?.[1], 'npm');
}

/** Makes uv resolve the name as `uvx` does: for the installed Python, without yanked versions or pre-releases. */
async function newestPypiVersion(name: string, spawnOptions: SpawnOptions): Promise<string> {
  const commandArguments = ['pip', 'compile', '-', '--quiet', '--no-deps', '--no-header', '--no-annotate'];
  const text = await runProgram('uv', commandArguments, spawnOptions, `${name}\n`);
  return requireVersion(/==([^\s;]+)/.exec(text)?.[1], 'uv');
}

function requireVersion(version: string | undefined, program: string): string {
  if (version !== undefined && /^\d[\w.!+-]*$/.test(version)) return version;
  throw new Error(`${program} names no version`);
}

/**
 * Runs a program and returns its stdout.
 *
 * @throws Error whose message is one line
 */
async function runProgram(
  program: string,
  commandArguments: readonly string[],
  spawnOptions: SpawnOptions,
  stdinText = '',
): Promise<string> {
  const { command, args, ...options } = await findProgramInPath(program, commandArguments, spawnOptions);
  return new Promise((resolve, reject) => {
    const child = execFile(command, args, { ...options, timeout: TIMEOUT_MS }, (error, stdout, stderr) => {
      if (error === null) resolve(stdout);
      else reject(new Error(failureReason(program, error, stdout, stderr)));
    });
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(stdinText);
  });
}

/** Finds a program in PATH, but never in the working directory, which may be an untrusted repository. */
async function findProgramInPath(program: string, args: readonly string[], { env, cwd }: SpawnOptions) {
  try {
    return await findProgram({ command: program, args, env: { ...env }, cwd });
  } catch (error) {
    if (error instanceof MuxError && error.code === 'COMMAND_NOT_FOUND')
      throw new Error(`${program} was not found in PATH`, { cause: error });
    throw error;
  }
}

function failureReason(
  program: string,
  error: { readonly killed?: boolean },
  stdout: string,
  stderr: string,
): string {
  if (error.killed === true) return `${program} did not answer within ${TIMEOUT_MS / 1000} seconds`;
  // npm prints its error as JSON on stdout. uv prints a message on stderr, followed by the cause.
  const { error: failure } = parseJsonObject(stdout) ?? {};
  const summary = isObject(failure) ? failure['summary'] : undefined;
  const line = typeof summary === 'string' ? summary : (/cause: (.*)/.exec(stderr)?.[1] ?? stderr.trim());
  return `${program} says: ${printable(line.split('\n', 1)[0] ?? '')}`;
}
