#!/usr/bin/env node
// Prints the path of a Chromium for the tests in a browser: the one in CHROMIUM, or an installed one. Otherwise root on
// Debian installs the package `chromium`, when CI is set: a check installs nothing on the machine of a developer.
// Without any of these, a line on stderr says why, and the tests in a browser are skipped. The exit code is 0, or 1 if
// MCPMUX_REQUIRE_ALL is set: a run that must skip nothing ends there.
//
// usage: node tools/chromium.mjs
import { existsSync, readFileSync } from 'node:fs';
import process from 'node:process';

import { failureOf } from './machine/failure-of.mjs';

const LIMIT_MS = 180_000;
const PLACES = JSON.parse(readFileSync(new URL('browsers.json', import.meta.url), 'utf8'));

const found = installed() ?? install();
if (found !== undefined) process.stdout.write(`${found}\n`);

function installed() {
  return [process.env.CHROMIUM, ...PLACES].find((place) => place && existsSync(place));
}

/** The path of the browser that Debian's package has brought; undefined, after a message, when there is none. */
function install() {
  if (!process.env.CI) return without('there is none (CHROMIUM can name one)');
  if (process.platform !== 'linux' || process.getuid() !== 0)
    return without('only root on Debian installs it');
  const until = Date.now() + LIMIT_MS;
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const apt = (...words) => failureOf(until, 'apt-get', ['--yes', ...words], { env });
  const problem = apt('update') || apt('install', '--no-install-recommends', 'chromium');
  if (problem) return without(problem);
  return installed() ?? without('its package has no program at a known place');
}

function without(reason) {
  process.stderr.write(`no Chromium, so the tests in a browser are skipped: ${reason}\n`);
  if (process.env.MCPMUX_REQUIRE_ALL) process.exitCode = 1;
}
