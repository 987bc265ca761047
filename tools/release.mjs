#!/usr/bin/env node
// Makes the next version from the files of .changeset: the manifests of all published packages, and a section of CHANGELOG.md.
// The workflow `release.yml` publishes what is committed.
//
// usage: node tools/release.mjs [--dry-run]     (--dry-run works on a copy and checks the result)
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

import { newerNode } from './machine/newer-node.mjs';
import { releaseProblems, versionsIn } from './release/checks.mjs';
import { changelogWith } from './release/changelog.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const changesets = join(root, 'node_modules', '@changesets', 'cli', 'bin.js');
const isDryRun = process.argv.includes('--dry-run');

const node = newerNode({ major: 22, minor: 13 });
if (node === undefined) {
  process.stdout.write('release: changesets needs Node.js 22.13 or newer, which is not here\n');
  process.exitCode = isDryRun ? 0 : 1;
} else if (isDryRun) dryRun();
else makeVersion(root);

function makeVersion(folder) {
  execFileSync(node, [changesets, 'version'], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  const [version] = new Set(versionsIn(folder).values());
  const file = join(folder, 'CHANGELOG.md');
  const today = new Date().toISOString().slice(0, 10);
  writeFileSync(file, changelogWith(readFileSync(file, 'utf8'), { version, date: today }));
  return version;
}

/** The same on a copy of the manifests, with a change of its own: a release works at any time, not only before one. */
function dryRun() {
  const copy = mkdtempSync(join(tmpdir(), 'mcpmux-release-'));
  try {
    const files = execFileSync(
      'git',
      ['ls-files', '-z', '*package.json', '.changeset', '*.yaml', 'CHANGELOG.md'],
      {
        cwd: root,
        encoding: 'utf8',
      },
    );
    for (const file of files.split('\0').filter(Boolean)) cpSync(join(root, file), join(copy, file));
    writeFileSync(join(copy, '.changeset', 'dry-run.md'), "---\n'@mcpmux/wire': patch\n---\n\nA change.\n");
    const before = versionsIn(copy);
    makeVersion(copy);
    const problems = releaseProblems(copy, before);
    for (const problem of problems) process.stderr.write(`${problem}\n`);
    if (problems.length > 0) process.exitCode = 1;
    for (const [name, version] of versionsIn(copy))
      process.stdout.write(`${name} ${before.get(name)} -> ${version}\n`);
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}
