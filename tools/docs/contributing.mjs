// The two lists of CONTRIBUTING.md: the targets of the projects, and the programs of this folder.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const TARGET = /^- `([a-z0-9-]+)`: /gm;
const PROGRAM = /^- `([a-z0-9-]+\.mjs)`/gm;

/** What differs between the lists and the repository. */
export function contributingProblems(root) {
  const text = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');
  return [
    ...targetProblems(root, sectionOf(text, 'Targets')),
    ...toolProblems(root, sectionOf(text, 'Tools')),
  ].map((problem) => `CONTRIBUTING.md: ${problem}`);
}

function sectionOf(text, title) {
  const [, rest] = text.split(`\n## ${title}\n`);
  if (rest === undefined) throw new Error(`CONTRIBUTING.md has no heading "## ${title}"`);
  return rest.split(/^## /m)[0];
}

function toolProblems(root, section) {
  const listed = new Set([...section.matchAll(PROGRAM)].map(([, name]) => name));
  const programs = readdirSync(join(root, 'tools')).filter((name) => name.endsWith('.mjs'));
  return [
    ...programs.filter((name) => !listed.has(name)).map((name) => `no line says what tools/${name} saves`),
    ...[...listed].filter((name) => !programs.includes(name)).map((name) => `there is no tools/${name}`),
  ];
}

function targetProblems(root, section) {
  const listed = new Set([...section.matchAll(TARGET)].map(([, name]) => name));
  const targets = new Set(projectFiles(root).flatMap(targetsOf));
  return [
    ...[...targets].filter((name) => !listed.has(name)).map((name) => `no line describes the target ${name}`),
    ...[...listed].filter((name) => !targets.has(name)).map((name) => `no project has the target ${name}`),
  ];
}

function projectFiles(root) {
  const packages = readdirSync(join(root, 'packages')).map((name) => join('packages', name));
  return ['.', ...packages, 'bench', 'e2e', 'site']
    .map((folder) => join(root, folder, 'project.json'))
    .filter((file) => existsSync(file));
}

function targetsOf(file) {
  return Object.keys(JSON.parse(readFileSync(file, 'utf8')).targets);
}
