#!/usr/bin/env node
// Prints the path of a nats-server for the tests of clusters: the one in MCPMUX_NATS_SERVER, on the PATH, or fetched
// before. Otherwise fetches the package of Debian or Ubuntu into node_modules/.cache, without root. Without any of
// these, a line on stderr says why, and the tests of clusters are skipped. The exit code is 0, or 1 if
// MCPMUX_REQUIRE_ALL is set: a run that must skip nothing ends there.
//
// usage: node tools/nats-server.mjs
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

import { failureOf } from './machine/failure-of.mjs';

const LIMIT_MS = 60_000;
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const cache = join(root, 'node_modules', '.cache', 'nats-server');
const fetched = join(cache, 'usr', 'sbin', 'nats-server');
const until = Date.now() + LIMIT_MS;

const found = candidates().find(isServer) ?? fetchPackage();
if (found !== undefined) process.stdout.write(`${found}\n`);

function candidates() {
  const { MCPMUX_NATS_SERVER: named, PATH = '' } = process.env;
  const onPath = PATH.split(delimiter).map((folder) => join(folder, 'nats-server'));
  return [...(named ? [named] : []), ...onPath.filter((file) => existsSync(file)), fetched];
}

function isServer(file) {
  return spawnSync(file, ['--version'], { stdio: 'ignore' }).status === 0;
}

/** The path of the server in the package of the system's archive; undefined, after a message, when there is none. */
function fetchPackage() {
  if (process.platform !== 'linux') return without(`there is no package for ${process.platform}`);
  rmSync(cache, { recursive: true, force: true });
  mkdirSync(join(cache, 'lists', 'partial'), { recursive: true });
  // An image may have no lists of packages, and only root may write those of the system.
  const own = ['-o', `Dir::State::Lists=${join(cache, 'lists')}`, '-o', `Dir::Cache=${join(cache, 'apt')}`];
  const download = (...options) => run('apt-get', ...options, 'download', 'nats-server');
  const update = () => run('apt-get', ...own, 'update');
  const problem = download() && (update() || download(...own));
  if (problem) return without(problem);
  const file = readdirSync(cache).find((name) => name.endsWith('.deb'));
  const failure = run('dpkg', '-x', join(cache, file), cache);
  if (failure) return without(failure);
  return isServer(fetched) ? fetched : without(`${fetched} does not start`);
}

function run(command, ...words) {
  return failureOf(until, command, words, { cwd: cache });
}

function without(reason) {
  process.stderr.write(`no nats-server, so the tests of clusters are skipped: ${reason}\n`);
  if (process.env.MCPMUX_REQUIRE_ALL) process.exitCode = 1;
}
