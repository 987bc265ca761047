#!/usr/bin/env node
// Checks the packages as they would be published: one `npm pack` of all, then publint and attw on each tarball, and the types
// that exports name. Build the packages first.
//
// usage: node tools/packages.mjs [NAME ...]     (folders of `packages`; all that are published when none is named)
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';

import { unexportedTypes } from './packages/exported-types.mjs';

/** Resolutions of packages that only `import` reaches (the profile `esm-only` of attw). */
const IGNORED_RESOLUTIONS = new Set(['node10', 'node16-cjs']);

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const names = process.argv.length > 2 ? process.argv.slice(2) : readdirSync(join(root, 'packages'));
const packages = names
  .map((name) => join(root, 'packages', name))
  .map((folder) => ({ folder, manifest: JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) }))
  .filter(({ manifest }) => manifest.private !== true);
const packed = mkdtempSync(join(tmpdir(), 'mcpmux-packages-'));

try {
  pack();
  for (const one of packages) {
    for (const problem of await problemsOf(one)) {
      process.stderr.write(`${one.manifest.name}: ${problem}\n`);
      process.exitCode = 1;
    }
  }
  process.stdout.write(`packages: ${packages.length} checked\n`);
} finally {
  rmSync(packed, { recursive: true });
}

function pack() {
  const folders = packages.map(({ folder }) => folder);
  const words = ['pack', '--pack-destination', packed, '--loglevel=error', ...folders];
  const { status, stderr } = spawnSync('npm', words, { cwd: root, encoding: 'utf8' });
  if (status !== 0) throw new Error(`npm cannot pack: ${stderr}`);
}

async function problemsOf({ folder, manifest }) {
  const name = `${manifest.name.slice(1).replace('/', '-')}-${manifest.version}.tgz`;
  const tarball = new Uint8Array(readFileSync(join(packed, name)));
  return [
    ...(await publishProblems(manifest, tarball)),
    ...(await typeProblems(tarball)),
    ...unexportedTypes(folder, manifest),
  ];
}

async function publishProblems(manifest, tarball) {
  const { messages } = await publint({ strict: true, level: 'error', pack: { tarball: tarball.buffer } });
  return messages.map((message) => formatMessage(message, manifest, { color: false }));
}

/** What is wrong with the types for a host, in a package that has types. */
async function typeProblems(tarball) {
  const { types, problems = [] } = await checkPackage(createPackageFromTarballData(tarball));
  if (!types) return [];
  return problems
    .filter(({ resolutionKind }) => !IGNORED_RESOLUTIONS.has(resolutionKind))
    .map((problem) => `attw: ${JSON.stringify(problem)}`);
}
