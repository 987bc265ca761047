#!/usr/bin/env node
// Checks the built site: docs/README.md lists every page, and every link leads to a page and a heading. In a real browser:
// no page asks another host for anything or reports an error, the search finds words, and all text has the contrast that
// WCAG 2.2 AA asks for.
//
// usage: node check.mjs     (build first: npm run docs; CHROMIUM names the browser)
import { existsSync, readFileSync } from 'node:fs';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

import { problemsInBrowser } from './check/browser.mjs';
import { linkProblems } from './check/links.mjs';
import { unlistedPages } from './check/listed.mjs';

const places = JSON.parse(readFileSync(new URL('../tools/browsers.json', import.meta.url), 'utf8'));
const dist = fileURLToPath(new URL('dist/', import.meta.url));
const browser = [process.env.CHROMIUM, ...places].find((path) => path && existsSync(path));
const docs = fileURLToPath(new URL('../docs/', import.meta.url));
const problems = [...unlistedPages(docs), ...linkProblems(dist)];
if (browser === undefined)
  process.stdout.write(
    'site: contrast and search are not checked: there is no Chromium here (set CHROMIUM)\n',
  );
else problems.push(...(await problemsInBrowser(dist, browser)));

for (const problem of problems) process.stderr.write(`${problem}\n`);
process.stdout.write(`site: ${problems.length} problems\n`);
if (problems.length > 0) process.exitCode = 1;
