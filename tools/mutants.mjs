#!/usr/bin/env node
// Shows that a test that was removed is not missed: puts its mutant into the code, runs the test that now has to fail, and
// takes the mutant out again. mutants.json has them: the title of the removed test, one replacement in one file, and what kills
// the mutant: a package with a file of its tests, or a command.
//
// usage: node tools/mutants.mjs [words of a title]
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const mutants = JSON.parse(readFileSync(join(root, 'tools', 'mutants.json'), 'utf8'));
const words = process.argv.slice(2).join(' ');

for (const mutant of mutants.filter(({ removed }) => removed.includes(words))) {
  const outcome = outcomeOf(mutant);
  process.stdout.write(`${outcome} ${mutant.removed}: ${mutant.by.join(' ')}\n`);
  if (outcome !== 'killed') process.exitCode = 1;
}

/** Tests that fail without the mutant show nothing. */
function outcomeOf({ file, from, to, by }) {
  if (!passes(by)) return 'FAILS WITHOUT THE MUTANT';
  const path = join(root, file);
  const text = readFileSync(path, 'utf8');
  if (text.split(from).length !== 2) throw new Error(`${file} has not exactly one ${JSON.stringify(from)}`);
  try {
    writeFileSync(
      path,
      text.replace(from, () => to),
    );
    return passes(by) ? 'SURVIVES' : 'killed';
  } finally {
    writeFileSync(path, text);
  }
}

function passes([folder, ...command]) {
  return spawnSync('npx', command, { cwd: join(root, folder), stdio: 'ignore' }).status === 0;
}
