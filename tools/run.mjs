#!/usr/bin/env node
// Runs a job of this repository on a machine that has only Node.js and npm: installs the
// dependencies when they are missing or stale, then hands over to Nx.
//
// usage: node tools/run.mjs install|build|test|e2e|check|start [arguments]
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const [job, ...rest] = process.argv.slice(2);
const windows = process.platform === 'win32';
// the started command speaks its protocol on stdout, so what comes before it goes to stderr
const preparation = job === 'start' ? 2 : 'inherit';
const env = { NX_DAEMON: 'false', NX_TUI: 'false', NX_NO_CLOUD: 'true', ...process.env };

function run(command, args, stdout = preparation) {
  // npx is a .cmd file on Windows, which needs a shell
  const shell = windows && !command.endsWith('.exe');
  const { status, error } = spawnSync(command, args, {
    cwd: root,
    env,
    stdio: ['inherit', stdout, 'inherit'],
    shell,
  });
  if (error) throw error;
  if (status !== 0) process.exit(status ?? 1);
}

function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  process.stderr.write(`Node.js 20.19 or newer is needed; this is ${process.version}\n`);
  process.exit(1);
}

function manifests() {
  const packages = readdirSync(join(root, 'packages')).map((name) => join('packages', name, 'package.json'));
  return [
    'package.json',
    'pnpm-lock.yaml',
    'pnpm-workspace.yaml',
    'e2e/package.json',
    ...packages.toSorted(),
  ];
}

function install() {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch}`);
  for (const file of manifests()) {
    if (existsSync(join(root, file))) hash.update(readFileSync(join(root, file)));
  }
  const digest = hash.digest('hex');
  const stamp = join(root, 'node_modules', '.install-stamp');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === digest) return;
  const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  run('npx', ['--yes', packageManager.split('+')[0], 'install', '--frozen-lockfile']);
  writeFileSync(stamp, digest);
}

function nx(...args) {
  run(process.execPath, [join(root, 'node_modules', 'nx', 'dist', 'bin', 'nx.js'), ...args]);
}

checkNode();
const jobs = {
  install: () => {},
  build: () => nx('run-many', '-t', 'build', ...rest),
  test: () => nx('run-many', '-t', 'test', 'e2e', '--output-style=static', ...rest),
  e2e: () => nx('run-many', '-t', 'e2e', ...rest),
  check: () => nx('run-many', '-t', 'build', 'lint', 'typecheck', 'test', 'package', 'e2e', ...rest),
  start: () => {
    nx('run-many', '-t', 'build', '-p', 'cli', 'test-servers', '--output-style=static');
    run(process.execPath, [join(root, 'packages', 'cli', 'bin', 'mcpmux.js'), ...rest], 'inherit');
  },
};
if (!Object.hasOwn(jobs, job ?? '')) {
  process.stderr.write(`usage: node tools/run.mjs ${Object.keys(jobs).join('|')} [arguments]\n`);
  process.exit(2);
}
install();
jobs[job]();
