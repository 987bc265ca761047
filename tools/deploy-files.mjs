#!/usr/bin/env node
// Checks the files of `deploy` that nothing here can run: the manifests of Kubernetes against the schemas of its API,
// the file of docker compose against the schema of its specification, the unit by systemd where systemd is, the
// configs in them against the schema of mcpmux, and their command lines against the built command.
//
// usage: node tools/deploy-files.mjs     (with the cli built)
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

import { parse, parseAllDocuments } from 'yaml';

import { flagProblems, wordsOf } from './deploy/command.mjs';
import { composeProblems, told, validatorOf } from './deploy/compose.mjs';
import { manifestProblems } from './deploy/kubernetes.mjs';
import { folderProblems, unitProblems } from './deploy/systemd.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const read = (name) => readFileSync(join(root, 'deploy', name), 'utf8');
const manifests = parseAllDocuments(read('kubernetes/mcpmux.yaml')).map((document) => document.toJS());
const compose = parse(read('compose/compose.yaml'), { merge: true });
const unit = read('systemd/mcpmux.service');
const ofUnit = unitProblems(join(root, 'deploy', 'systemd', 'mcpmux.service'));
if (ofUnit === undefined) process.stdout.write('skipped: no systemd-analyze here to verify the unit\n');

const problems = [
  ...under('kubernetes/mcpmux.yaml', [...manifestProblems(manifests), ...manifests.flatMap(ofManifest)]),
  ...under('compose/compose.yaml', [...composeProblems(compose), ...linesOf(compose).flatMap(ofLine)]),
  ...under('compose/mcpmux.json', configProblems(read('compose/mcpmux.json'))),
  ...under('systemd/mcpmux.service', [
    ...(ofUnit ?? []),
    ...folderProblems(unit),
    ...ofLine(commandOf(unit)),
  ]),
];
for (const problem of problems) process.stderr.write(`${problem}\n`);
if (problems.length > 0) process.exitCode = 1;

function under(file, found) {
  return found.map((text) => `deploy/${file}: ${text}`);
}

function ofManifest({ kind, data = {}, spec }) {
  if (kind === 'ConfigMap') return Object.values(data).flatMap(configProblems);
  const containers = spec.template?.spec.containers ?? [];
  return containers.flatMap(({ command = [], args = [] }) => ofLine([...command, ...args]));
}

function linesOf({ services }) {
  return Object.values(services).map(({ entrypoint = [], command = [] }) => entrypoint.concat(command));
}

function commandOf(text) {
  return /^ExecStart=(.*)$/m.exec(text)?.[1].split(' ') ?? [];
}

function ofLine(line) {
  const words = wordsOf(line);
  return words === undefined ? [] : flagProblems(root, words);
}

function configProblems(text) {
  const schema = JSON.parse(readFileSync(join(root, 'packages/cli/schema/mcpmux.schema.json'), 'utf8'));
  const isValid = validatorOf(schema);
  return isValid(JSON.parse(text)) ? [] : isValid.errors.map(told);
}
