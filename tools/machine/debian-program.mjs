// A program that tests need: one that is there, or from a package of Debian or Ubuntu, without root.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

import { failureOf } from './failure-of.mjs';

const LIMIT_MS = 60_000;
const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/**
 * Prints the path of a program: the one that a variable names, on the PATH, or fetched before. Otherwise fetches its
 * package into node_modules/.cache. Without any of these, a line on stderr says why. The exit code is 0, or 1 if
 * MCPMUX_REQUIRE_ALL is set: a run that must skip nothing ends there.
 *
 * @param wanted `program`, `package`, `variable`, `file` (in the package), `tests` (of what), `args` of a test run
 */
export function printProgram(wanted) {
  const found = candidates(wanted).find((file) => runs(file, wanted)) ?? fetchPackage(wanted);
  if (found !== undefined) process.stdout.write(`${found}\n`);
}

function cacheOf({ program }) {
  return join(root, 'node_modules', '.cache', program);
}

function fetchedBy(wanted) {
  return join(cacheOf(wanted), wanted.file);
}

function candidates(wanted) {
  const { [wanted.variable]: named, PATH = '' } = process.env;
  const onPath = PATH.split(delimiter).map((folder) => join(folder, wanted.program));
  return [...(named ? [named] : []), ...onPath.filter((file) => existsSync(file)), fetchedBy(wanted)];
}

function runs(file, { args = ['--version'] }) {
  return spawnSync(file, args, { stdio: 'ignore' }).status === 0;
}

/** The path of the program in the package of the system's archive; undefined, after a message, when there is none. */
function fetchPackage(wanted) {
  if (process.platform !== 'linux') return without(wanted, `there is no package for ${process.platform}`);
  const cache = cacheOf(wanted);
  rmSync(cache, { recursive: true, force: true });
  mkdirSync(join(cache, 'lists', 'partial'), { recursive: true });
  const until = Date.now() + LIMIT_MS;
  const run = (command, ...words) => failureOf(until, command, words, { cwd: cache });
  // An image may have no lists of packages, and only root may write those of the system.
  const own = ['-o', `Dir::State::Lists=${join(cache, 'lists')}`, '-o', `Dir::Cache=${join(cache, 'apt')}`];
  const download = (...options) => run('apt-get', ...options, 'download', wanted.package);
  const update = () => run('apt-get', ...own, 'update');
  const problem = download() && (update() || download(...own));
  if (problem) return without(wanted, problem);
  const file = readdirSync(cache).find((name) => name.endsWith('.deb'));
  const failure = run('dpkg', '-x', join(cache, file), cache);
  if (failure) return without(wanted, failure);
  const fetched = fetchedBy(wanted);
  return runs(fetched, wanted) ? fetched : without(wanted, `${fetched} does not start`);
}

function without({ program, tests }, reason) {
  process.stderr.write(`no ${program}, so the tests of ${tests} are skipped: ${reason}\n`);
  if (process.env.MCPMUX_REQUIRE_ALL) process.exitCode = 1;
}
