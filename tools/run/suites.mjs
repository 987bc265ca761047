// The projects of this repository, and which target of theirs runs which file of tests, by the end of its name.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const TARGETS = {
  int: 'integration',
  crowd: 'crowd',
  long: 'long',
  property: 'test',
  fuzz: 'fuzz',
  chaos: 'chaos',
  peer: 'peers',
  soak: 'soak',
  e2e: 'e2e',
};

/** Every project: its folder and what it has as targets. */
export function projects(root) {
  const packages = readdirSync(join(root, 'packages')).map((name) => join('packages', name));
  return [...packages, 'e2e', 'bench', 'examples'].flatMap((folder) => {
    const file = join(root, folder, 'project.json');
    if (!existsSync(file)) return [];
    const { targets } = JSON.parse(readFileSync(file, 'utf8'));
    return [{ folder, targets }];
  });
}

/** Files of tests that no target of their project runs: they would rot unseen. */
export function filesWithoutTarget(root) {
  return projects(root).flatMap(({ folder, targets }) =>
    testFiles(root, folder).filter((name) => !Object.hasOwn(targets, targetOf(folder, name))),
  );
}

function testFiles(root, folder) {
  return ['src', 'fuzz']
    .map((part) => join(folder, part))
    .filter((part) => existsSync(join(root, part)))
    .flatMap((part) => readdirSync(join(root, part), { recursive: true }).map((name) => join(part, name)))
    .filter((name) => name.endsWith('.test.ts'));
}

function targetOf(folder, name) {
  const kind = /\.([a-z0-9]+)\.test\.ts$/.exec(name)?.[1];
  return TARGETS[kind] ?? (folder === 'e2e' ? 'e2e' : 'test');
}
