#!/usr/bin/env node
// The one check of the documents. Every Markdown file: its links lead somewhere, its prose is wrapped at 100 columns, and
// it keeps its budget of words (docs/budgets.json beside this file). The commands of the examples and of the pictures print what
// the pages say. CONTRIBUTING.md lists the targets and the programs of this folder, the index of the decisions each decision.
// The data of docs/internals and the titles of the tests agree. Build the cli first.
//
// usage: node tools/docs.mjs             checks, and exits with 1 when something is wrong
//        node tools/docs.mjs --fix       writes what the commands of examples and pictures print
//        node tools/docs.mjs --lower     lowers the budgets to the words that are there
//        node tools/docs.mjs --pages     writes for the site: the pages made from data (docs/internals/*.md), the help of all
//                                        commands, the keys of configs and the tools (site/*.md), which pages include there
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

import { budgetProblems, lowered } from './docs/budgets.mjs';
import { contributingProblems } from './docs/contributing.mjs';
import { decisionProblems } from './docs/decisions.mjs';
import { staleExamples } from './docs/examples.mjs';
import { markdownFiles } from './docs/files.mjs';
import { helpPage } from './docs/help-page.mjs';
import { linkProblems } from './docs/links.mjs';
import { generatedPages } from './docs/pages.mjs';
import { stalePictures } from './docs/pictures.mjs';
import { keysPage, toolsPage } from './docs/schema-pages.mjs';
import { testProblems } from './docs/tests.mjs';
import { titledTests } from './docs/titles.mjs';
import { widthProblems } from './docs/width.mjs';
import { grownBy } from './packages/features.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const internals = join(root, 'docs', 'internals');
const budgetFile = join(root, 'tools', 'docs', 'budgets.json');
const [flag] = process.argv.slice(2);

if (flag === '--pages') writePages();
else if (flag === '--lower') lower();
else await check();

async function check() {
  const pages = readPages();
  const stale = [...(await staleExamples(pages)), ...(await stalePictures(root))];
  if (flag === '--fix') for (const { path, text } of stale) writeFileSync(join(root, path), text);
  const problems = [
    ...linkProblems(root, pages),
    ...widthProblems(pages),
    ...budgetProblems(counted(pages), jsonOf(budgetFile), grownBy('words')),
    ...contributingProblems(root),
    ...decisionProblems(pages),
    ...testProblems(shownByTests()),
    ...(flag === '--fix' ? [] : stale.map(({ path }) => `${path} is stale: run node tools/docs.mjs --fix`)),
  ];
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  process.stdout.write(`docs: ${pages.length} pages, ${problems.length} problems\n`);
  if (problems.length > 0) process.exitCode = 1;
}

function shownByTests() {
  return { ...dataOf('faults', 'requirements'), tests: titledTests(root) };
}

function writePages() {
  const names = readdirSync(internals).filter((name) => name.endsWith('.json'));
  const data = dataOf(...names.map((name) => name.replace(/\.json$/, '')));
  for (const { name, text } of generatedPages({ ...data, tests: titledTests(root) }))
    writeFileSync(join(internals, `${name}.md`), text);
  for (const [name, text] of Object.entries({
    help: helpPage(root),
    keys: keysPage(root),
    tools: toolsPage(root),
  }))
    writeFileSync(join(root, 'site', `${name}.md`), text);
}

/** The data of docs/internals by the names of the files. */
function dataOf(...names) {
  return Object.fromEntries(names.map((name) => [name, jsonOf(join(internals, `${name}.json`))]));
}

function lower() {
  const budgets = lowered(counted(readPages()), jsonOf(budgetFile), grownBy('words'));
  writeFileSync(budgetFile, `${JSON.stringify(budgets, null, 2)}\n`);
}

function readPages() {
  return markdownFiles(root).map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
}

function jsonOf(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** The pages that people read: no texts of licences. */
function counted(pages) {
  return pages.filter(({ path }) => !path.endsWith('THIRD-PARTY-NOTICES.md'));
}
