#!/usr/bin/env node
// Runs a job of this repository on a machine that has only Node.js and npm: installs the
// dependencies when they are missing or stale, then hands over to Nx.
//
// usage: node tools/run.mjs install|build|check|docs|test|rest|all|e2e|peers|start|demo|serve|bench [arguments]
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

import { filesWithoutTarget } from './run/suites.mjs';
import { clearReports, closingLine, collect, foldersWith, total } from './run/totals.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const [job, ...rest] = process.argv.slice(2);
const windows = process.platform === 'win32';
// `serve` speaks its protocol on stdout and `bench` prints its tables there, so all that comes before goes to stderr
const preparation = job === 'serve' || job === 'bench' ? 2 : 'inherit';
const env = { NX_DAEMON: 'false', NX_TUI: 'false', NX_NO_CLOUD: 'true', ...process.env };

/** Runs a command to its end and gives its exit status. */
function run(command, ...args) {
  // npx is a .cmd file on Windows, which needs a shell
  const shell = windows && !command.endsWith('.exe');
  const { status, error } = spawnSync(command, args, {
    cwd: root,
    env,
    stdio: ['inherit', preparation, 'inherit'],
    shell,
  });
  if (error) throw error;
  return status ?? 1;
}

function must(status) {
  if (status !== 0) process.exit(status);
}

function nx(...args) {
  return run(process.execPath, join(root, 'node_modules', 'nx', 'dist', 'bin', 'nx.js'), ...args);
}

/** Replaces this process by a program as far as Node.js allows: same streams, signals and end. */
function become(file) {
  const child = spawn(process.execPath, [join(root, file), ...rest], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  process.stderr.write(`Node.js 20.19 or newer is needed; this is ${process.version}\n`);
  process.exit(1);
}

function manifests() {
  const packages = readdirSync(join(root, 'packages')).map((name) => join('packages', name, 'package.json'));
  const others = [
    'package.json',
    'pnpm-lock.yaml',
    'pnpm-workspace.yaml',
    'e2e/package.json',
    'bench/package.json',
    'site/package.json',
    'examples/package.json',
  ];
  return [...others, ...packages.toSorted()].filter((file) => existsSync(join(root, file)));
}

function install() {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch}`);
  for (const file of manifests()) hash.update(readFileSync(join(root, file)));
  const digest = hash.digest('hex');
  const stamp = join(root, 'node_modules', '.install-stamp');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === digest) return;
  const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  must(run('npx', '--yes', packageManager.split('+')[0], 'install', '--frozen-lockfile'));
  writeFileSync(stamp, digest);
}

/** Names the Node.js that runs the built command: part of the cache key of the e2e tests and of their label. */
function nameE2eNode() {
  const node = env.E2E_NODE ?? process.execPath;
  const { stdout, error } = spawnSync(node, ['-p', 'process.version'], { encoding: 'utf8' });
  if (error) throw error;
  env.E2E_NODE_VERSION = stdout.trim();
}

function test(label, ...targets) {
  const unseen = filesWithoutTarget(root);
  if (unseen.length > 0) {
    process.stderr.write(`no target of its project.json runs:\n${unseen.join('\n')}\n`);
    process.exit(1);
  }
  const folders = foldersWith(root, targets);
  clearReports(root, folders);
  const status = nx('run-many', '-t', ...targets, '--output-style=static', ...rest);
  // arguments can choose projects: then the others are not missed
  const choosesProjects = rest.some((argument) => /^(?:-p|--projects|--exclude)(?:=|$)/.test(argument));
  const expected = choosesProjects ? [] : folders;
  collect(root, label, { folders, expected, failed: status !== 0 });
  const sum = total(root, [label]);
  process.stdout.write(`\n${closingLine(sum)}`);
  must(status === 0 && sum.passed > 0 ? 0 : 1);
}

function demo() {
  must(nx('run-many', '-t', 'build', '-p', 'cli,test-servers'));
  become('tools/demo.mjs');
}

const CHECKS = [
  'lint',
  'typecheck',
  'package',
  'format',
  'dead-code',
  'notices',
  'docs-check',
  'release-files',
  'deploy-files',
  'simulation',
  'house',
  'wasm',
  // what docs-check of the site reads: without its dependencies, Nx builds only what this list names
  'pages',
  'docs',
  'trips',
  'chunks',
];
const RULES = ['test', 'integration', 'paths'];
const REST = ['fuzz', 'e2e'];
// pip, cargo and go install the peers of other languages where a POSIX system has them
const NIGHT = ['nightly', 'crowd', 'long', 'chaos', ...(windows ? [] : ['peers'])];
const jobs = {
  install: () => {},
  build: () => must(nx('run-many', '-t', 'build', ...rest)),
  check: () => must(nx('run-many', '-t', ...CHECKS, '--output-style=static', ...rest)),
  docs: () => must(nx('run-many', '-t', 'docs-check', '--output-style=static', ...rest)),
  // a clone is whole: every rule, and one path of each feature from end to end
  test: () => {
    // Node.js 20 parses them at each start, 0.06 s and more, and thousands of processes start; none of these speaks TLS
    delete env.NODE_EXTRA_CA_CERTS;
    test('test', ...RULES);
  },
  // all tests on this Node.js, with ten times as many random values
  all: () => {
    env.PROPERTY_RUNS ??= '10';
    test('test', ...RULES, ...REST, ...NIGHT);
  },
  // the part of the others that `.ci/run` has time for
  rest: () => test('rest', ...REST),
  peers: () => test('peers', 'peers'),
  e2e: () => test(`e2e-${env.E2E_NODE_VERSION}`, 'e2e'),
  start: demo,
  demo,
  serve: () => {
    must(nx('run-many', '-t', 'build', '-p', 'cli', '--output-style=static'));
    become('packages/cli/bin/mcpmux.cjs');
  },
  bench: () => {
    must(nx('run-many', '-t', 'build', '-p', 'bench', '--output-style=static'));
    become('bench/dist/main.js');
  },
};

checkNode();
if (!Object.hasOwn(jobs, job ?? '')) {
  process.stderr.write(`usage: node tools/run.mjs ${Object.keys(jobs).join('|')} [arguments]\n`);
  process.exit(2);
}
install();
nameE2eNode();
jobs[job]();
