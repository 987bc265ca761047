#!/usr/bin/env node
// Checks the files that nothing here can run: the workflows of .github and the Dockerfile.
//
// usage: node tools/release-files.mjs [--release]     (--release also refuses what stands for the address of the repository)
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

import { parse } from 'yaml';

import { dockerfileProblems } from './release/dockerfile.mjs';
import { workflowProblems } from './release/workflows.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const workflows = join(root, '.github', 'workflows');
const templates = join(root, '.github', 'ISSUE_TEMPLATE');

const problems = [
  ...filesOf(workflows).flatMap(([name, content]) =>
    workflowProblems(content, (path) => existsSync(join(root, path))).map((text) => `${name}: ${text}`),
  ),
  ...filesOf(templates).flatMap(([name, content]) =>
    name === 'config.yml' || (content.name && content.description && content.body.length > 0)
      ? []
      : [`${name}: lacks a name, a description or a body`],
  ),
  ...dockerfileProblems(readFileSync(join(root, 'Dockerfile'), 'utf8')).map((text) => `Dockerfile: ${text}`),
  ...(process.argv.includes('--release') ? addressProblems() : []),
];
for (const problem of problems) process.stderr.write(`${problem}\n`);
if (problems.length > 0) process.exitCode = 1;

function filesOf(folder) {
  return readdirSync(folder).map((name) => [name, parse(readFileSync(join(folder, name), 'utf8'))]);
}

/** Provenance names the repository, so npm compares it with that of the manifest. */
function addressProblems() {
  const { repository } = JSON.parse(readFileSync(join(root, 'packages', 'cli', 'package.json'), 'utf8'));
  return repository.url.includes('example.invalid')
    ? [`packages/*/package.json: ${repository.url} is not the address of the repository`]
    : [];
}
