import { execFile } from 'node:child_process';

import { isObject } from '@mcpmux/clients';
import { MuxError } from '@mcpmux/core';
import { findProgram } from '@mcpmux/programs';

import { jsonObject } from '../base/json-object.js';
import { printable } from '../terminal/columns.js';
import { imageDigest } from './image-digest.js';
import type { PackageTarget } from './package-target.js';

/** A package without a version. An image has its tag. */
export type Sought = Pick<PackageTarget, 'kind' | 'name'>;

/** Finds the newest version of a package, for a server of the config or for none. */
export type FindNewest = (sought: Sought, server?: string) => Promise<string>;

/** The environment and the working directory of a program. */
export interface RunPlace {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
}

const WITHIN_MS = 20_000;

/**
 * Returns a function that finds the newest version of packages. It asks npm and uv, because only these know the
 * registries, the proxies and the logins that `npx` and `uvx` use.
 *
 * @param placeOf returns the place in which a server of the config runs
 */
export function newestBy(placeOf: (server?: string) => RunPlace): FindNewest {
  return ({ kind, name }, server) => {
    switch (kind) {
      case 'npm':
        return newestOfNpm(name, placeOf(server));
      case 'pypi':
        return newestOfPypi(name, placeOf(server));
      case 'oci':
        return imageDigest(name);
    }
  };
}

async function newestOfNpm(name: string, place: RunPlace): Promise<string> {
  const words = ['view', name, 'version', '--json', '--fetch-retries=0', '--loglevel=error'];
  const text = await output('npm', words, place);
  return versionIn(/^\s*"([^"\s]+)"\s*$/.exec(text)?.[1], 'npm');
}

/** uv resolves the name as `uvx` does: for this Python, without yanked versions and pre-releases. */
async function newestOfPypi(name: string, place: RunPlace): Promise<string> {
  const words = ['pip', 'compile', '-', '--quiet', '--no-deps', '--no-header', '--no-annotate'];
  const text = await output('uv', words, place, `${name}\n`);
  return versionIn(/==([^\s;]+)/.exec(text)?.[1], 'uv');
}

function versionIn(version: string | undefined, program: string): string {
  if (version !== undefined && /^\d[\w.!+-]*$/.test(version)) return version;
  throw new Error(`${program} names no version`);
}

/**
 * Returns the output of a program.
 *
 * @throws Error with the reason in one line
 */
async function output(
  program: string,
  words: readonly string[],
  place: RunPlace,
  input = '',
): Promise<string> {
  const { command, args, ...options } = await found(program, words, place);
  return new Promise((resolve, reject) => {
    const child = execFile(command, args, { ...options, timeout: WITHIN_MS }, (error, stdout, stderr) => {
      if (error === null) resolve(stdout);
      else reject(new Error(reasonOf(program, error, stdout, stderr)));
    });
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(input);
  });
}

/** Finds the program in PATH alone, never in the working directory, which may be of a repository. */
async function found(program: string, args: readonly string[], { env, cwd }: RunPlace) {
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
  if (error.killed === true) return `${program} did not answer within ${WITHIN_MS / 1000} seconds`;
  // npm writes its error as JSON. uv writes a sentence, and then its cause.
  const { error: failure } = jsonObject(stdout) ?? {};
  const summary = isObject(failure) ? failure['summary'] : undefined;
  const line = typeof summary === 'string' ? summary : (/cause: (.*)/.exec(stderr)?.[1] ?? stderr.trim());
  return `${program} says: ${printable(line.split('\n', 1)[0] ?? '')}`;
}
