import { execFile } from 'node:child_process';
import process from 'node:process';

import { isObject } from '@mcpmux/clients';

import { jsonObject } from '../base/json-object.js';
import { printable } from '../terminal/columns.js';
import { imageDigest } from './image-digest.js';
import type { PackageTarget } from './package-target.js';

/** A package without a version. An image has its tag. */
export type Sought = Pick<PackageTarget, 'kind' | 'name'>;

/** Finds the newest version of a package. */
export type FindNewest = (sought: Sought) => Promise<string>;

const WITHIN_MS = 20_000;

/**
 * Returns a function that finds the newest version of packages. It asks npm and uv, because only these know the
 * registries, the proxies and the logins that `npx` and `uvx` use.
 */
export function newestBy(environment: Readonly<Record<string, string | undefined>>): FindNewest {
  return ({ kind, name }) => {
    switch (kind) {
      case 'npm':
        return newestOfNpm(name, environment);
      case 'pypi':
        return newestOfPypi(name, environment);
      case 'oci':
        return imageDigest(name);
    }
  };
}

type Environment = Readonly<Record<string, string | undefined>>;

async function newestOfNpm(name: string, environment: Environment): Promise<string> {
  const words = ['view', name, 'version', '--json', '--fetch-retries=0', '--loglevel=error'];
  const text = await output('npm', words, environment);
  return versionIn(/^\s*"([^"\s]+)"\s*$/.exec(text)?.[1], 'npm');
}

/** uv resolves the name as `uvx` does: for this Python, without yanked versions and pre-releases. */
async function newestOfPypi(name: string, environment: Environment): Promise<string> {
  const words = ['pip', 'compile', '-', '--quiet', '--no-deps', '--no-header', '--no-annotate'];
  const text = await output('uv', words, environment, `${name}\n`);
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
function output(
  program: string,
  words: readonly string[],
  environment: Environment,
  input = '',
): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { env: { ...environment }, timeout: WITHIN_MS, shell: process.platform === 'win32' };
    const child = execFile(program, words, options, (error, stdout, stderr) => {
      if (error === null) resolve(stdout);
      else reject(new Error(reasonOf(program, error, stdout, stderr)));
    });
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(input);
  });
}

function reasonOf(
  program: string,
  error: { readonly code?: unknown; readonly killed?: boolean },
  stdout: string,
  stderr: string,
): string {
  if (error.code === 'ENOENT') return `${program} was not found in PATH`;
  if (error.killed === true) return `${program} did not answer within ${WITHIN_MS / 1000} seconds`;
  // npm writes its error as JSON. uv writes a sentence, and then its cause.
  const { error: failure } = jsonObject(stdout) ?? {};
  const summary = isObject(failure) ? failure['summary'] : undefined;
  const line = typeof summary === 'string' ? summary : (/cause: (.*)/.exec(stderr)?.[1] ?? stderr.trim());
  return `${program} says: ${printable(line.split('\n', 1)[0] ?? '')}`;
}
