#!/usr/bin/env node
// Writes THIRD-PARTY-NOTICES.md of the packages that tsup bundles: the licence of every package whose
// code is really in `dist`, as the source maps there tell.
//
// usage: node tools/notices.mjs [--check]     (--check writes nothing and exits with 1 when a file is stale)
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const BUNDLED = ['packages/cli', 'packages/code-mode', 'packages/dashboard', 'packages/test-servers'];
// the greedy start makes the last `node_modules` count: pnpm nests them
const PACKAGE_FOLDER = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const check = process.argv.includes('--check');

for (const folder of BUNDLED) {
  const file = join(root, folder, 'THIRD-PARTY-NOTICES.md');
  const text = notices(['dist', 'dist/page'].map((name) => join(root, folder, name)));
  if (existsSync(file) && readFileSync(file, 'utf8') === text) continue;
  if (check) {
    process.stderr.write(`${folder}/THIRD-PARTY-NOTICES.md is stale: run node tools/notices.mjs\n`);
    process.exitCode = 1;
  } else {
    writeFileSync(file, text);
  }
}

function notices(folders) {
  const introduction = 'The programs in `dist` contain code of these packages.\n';
  const packages = new Set(folders.filter((folder) => existsSync(folder)).flatMap(bundledPackages));
  const sorted = [...packages].map(noticeOf).toSorted((a, b) => (a.title < b.title ? -1 : 1));
  return ['# Third-party notices\n', introduction, ...onceEach(sorted)].join('\n');
}

/** The sections of all packages. A licence that an earlier package has too, to the letter, is named in its place. */
function onceEach(all) {
  const first = new Map();
  return all.map(({ name, title, texts }) => {
    const blocks = texts.map((text) => {
      const of = first.get(text);
      if (of !== undefined) return `The text of ${of} above.\n`;
      first.set(text, name);
      return `\`\`\`text\n${text}\n\`\`\`\n`;
    });
    // a package may state its licence in the manifest only
    if (texts.length === 0) blocks.push('```text\nno licence file\n```\n');
    return [`## ${title}\n`, ...blocks].join('\n');
  });
}

/** The folders of all packages outside the workspace that the source maps of a folder name. */
function bundledPackages(dist) {
  const folders = new Set();
  for (const name of readdirSync(dist)) {
    if (!name.endsWith('.map')) continue;
    const { sources } = JSON.parse(readFileSync(join(dist, name), 'utf8'));
    for (const source of sources) {
      const folder = PACKAGE_FOLDER.exec(source)?.[0];
      if (folder !== undefined) folders.add(resolve(dist, folder));
    }
  }
  const found = [...folders].map((folder) => (isPackage(folder) ? folder : installed(folder)));
  return [...new Set(found.filter((folder) => folder !== undefined))];
}

/**
 * The source maps of a package that is itself a bundle name what is in it, in the version its authors had: the licence is that
 * of the version here. What is nowhere here comes from the same repository, and the licence of the package covers it.
 */
function installed(folder) {
  const name = folder.slice(folder.lastIndexOf('/node_modules/') + '/node_modules/'.length);
  const store = join(root, 'node_modules', '.pnpm');
  const entry = readdirSync(store)
    .toSorted()
    .find((candidate) => candidate.startsWith(`${name.replace('/', '+')}@`));
  const candidate = join(store, entry ?? '', 'node_modules', name);
  return entry !== undefined && isPackage(candidate) ? candidate : undefined;
}

function isPackage(folder) {
  return existsSync(join(folder, 'package.json'));
}

function noticeOf(folder) {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const files = readdirSync(folder).filter((name) => /^(?:licen[cs]e|notice|copying)\b/i.test(name));
  const { name, version, license } = manifest;
  const texts = files.toSorted().map((file) => read(folder, file));
  return { name, title: `${name} ${version} (${license})`, texts };
}

function read(folder, name) {
  return readFileSync(join(folder, name), 'utf8')
    .replaceAll(/[ \t]*\r?\n/g, '\n')
    .trim();
}
