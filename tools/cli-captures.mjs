#!/usr/bin/env node
// Writes what the commands in docs/cli.md print, by running them: every line that begins with "$ " in a console block.
// A block that names a file of the home folder is written there first; comments start and end a mcpmux:
//
//   <!-- start: mcpmux serve -->      <!-- end -->
//
// usage: node tools/cli-captures.mjs [--check]     (--check writes nothing and exits with 1 when the file is stale)
import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const file = join(root, 'docs', 'cli.md');
const require = createRequire(join(root, 'e2e', 'package.json'));
const home = realpathSync(mkdtempSync(join(tmpdir(), 'mcpmux-docs-')));
const bin = join(home, '.bin');
const env = {
  HOME: home,
  PATH: [bin, dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter),
  XDG_CONFIG_HOME: join(home, '.config'),
  XDG_STATE_HOME: join(home, '.local', 'state'),
  MCPMUX_RUNTIME_DIR: join(home, '.run'),
  COLUMNS: '100',
};
const START_WITHIN_MS = 30_000;

/** What differs from run to run, and what stands for it. */
const STABLE = [
  [new RegExp(home.replaceAll(/[^\w]/g, '\\$&'), 'g'), '/home/ann'],
  [/PATH searched: [^\s]+\. Give/g, 'PATH searched: /usr/local/bin:/usr/bin:/bin. Give'],
  // the table of top: its columns are as wide as what stands in them
  [/NOW +P50 +P95 +UP/g, 'NOW  P50     P95     UP'],
  [/^([▸ ] [●○✖] .*\b\d+) +[\d.]+ m?s +[\d.]+ m?s +\d+[smh]$/gm, '$1    2.5 ms  7.5 ms  12s'],
  [/^([▸ ] [●○✖] .*\b\d+) +- +- +\d+[smh]$/gm, '$1    -       -       12s'],
  [
    /(?<!\.)\b\d{2,}(?:\.\d+)? ms\b|\bp95 [\d.]+ ms/g,
    (text) => (text.startsWith('p95') ? 'p95 250 ms' : '250 ms'),
  ],
  [/\bup in [\d.]+ m?s\b/g, 'up in 250 ms'],
  [/\bup \d+[smh]\b/g, 'up 12s'],
  [/\bcall of (\S+), [\d.]+ ms\b/g, 'call of $1, 2.5 ms'],
  [/\b(pid|mcpmux) \d{2,}\b/g, '$1 4711'],
  [/"(pid|instance)": \d+/g, '"$1": 4711'],
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, '2026-01-01T12:00:00.000Z'],
  [/\b\d\d:\d\d:\d\d\b/g, '12:00:00'],
  [/\d{8}T\d{6}Z/g, '20260101T120000Z'],
  [/^(✔ node +)[\d.]+$/gm, '$124.11.0'],
  // a slow machine
  [/^! \S+ +took \d+ s to start\n +Next: .*\n/gm, ''],
  // what a server writes to stderr while it starts is read before or after its last list
  [/^(.* server running, .*)\n(.*\bStarting default \(STDIO\) server\.\.\.)$/gm, '$2\n$1'],
];

try {
  // installed as a package, as readers have it: a clone registers itself in clients
  const installation = join(home, '.lib', 'node_modules', '@mcpmux', 'cli');
  for (const part of ['bin', 'dist', 'package.json'])
    cpSync(join(root, 'packages', 'cli', part), join(installation, part), { recursive: true });
  program('mcpmux', [process.execPath, join(installation, 'bin', 'mcpmux.cjs')]);
  runner('npx', {
    everything: installed('@modelcontextprotocol/server-everything'),
    filesystem: installed('@modelcontextprotocol/server-filesystem'),
  });
  const before = readFileSync(file, 'utf8');
  const after = await captured(before);
  if (before !== after) {
    if (process.argv.includes('--check')) fail('docs/cli.md is stale: run node tools/cli-captures.mjs');
    writeFileSync(file, after);
  }
} finally {
  rmSync(home, { recursive: true, force: true });
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exitCode = 1;
}

/** The text with the output of every command as it is now. */
async function captured(text) {
  const result = [];
  let block;
  let serving;
  for (const line of text.trimEnd().split('\n')) {
    const start = /^<!-- start: (?<command>.+) -->$/.exec(line)?.groups?.command;
    if (start !== undefined) serving = await started(start);
    if (line === '<!-- end -->') await ended(serving);
    if (block === undefined) {
      result.push(line);
      block = opened(line);
    } else if (line === '```') {
      result.push(...closed(block), line);
      block = undefined;
    } else block.lines.push(line);
  }
  return `${result.join('\n')}\n`;
}

/** A console block, or one that is the content of a file. */
function opened(line) {
  const { language, path } = /^```(?<language>\w+)(?: (?<path>~\/\S+))?$/.exec(line)?.groups ?? {};
  return language === undefined ? undefined : { language, path, lines: [] };
}

function closed({ language, path, lines }) {
  if (path !== undefined) write(path.replace('~', home), `${lines.join('\n')}\n`);
  if (language !== 'console') return lines;
  return lines.flatMap((line) => (line.startsWith('$ ') ? [line].concat(outputOf(line.slice(2))) : []));
}

function outputOf(command) {
  const { stdout } = spawnSync('/bin/sh', ['-c', `{ ${command}\n} 2>&1`], {
    cwd: home,
    env,
    encoding: 'utf8',
  });
  const text = STABLE.reduce((all, [what, instead]) => all.replaceAll(what, instead), stdout).trimEnd();
  return text === '' ? [] : text.split('\n').map((line) => line.trimEnd());
}

/** A mcpmux as a client starts it, once its servers run. */
async function started(command) {
  const child = spawn('/bin/sh', ['-c', `exec ${command}`], {
    cwd: home,
    env,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const deadline = Date.now() + START_WITHIN_MS;
  while (!isUp(child.pid)) {
    if (Date.now() > deadline) throw new Error(`${command}: its servers do not run`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return child;
}

function isUp(pid) {
  const { stdout } = spawnSync('mcpmux', ['list', '--all', '--json'], { cwd: home, env, encoding: 'utf8' });
  const instance = JSON.parse(stdout).find((candidate) => candidate.pid === pid);
  return instance?.servers.every(({ status }) => status !== 'starting') ?? false;
}

async function ended(child) {
  const exit = new Promise((resolve) => child.on('exit', resolve));
  child.stdin.end();
  await exit;
}

/** Programs on the PATH of the commands: no package is fetched. */
function runner(name, servers) {
  const cases = Object.entries(servers).map(
    ([word, path]) => `  *server-${word}*) exec '${process.execPath}' '${path}' "$@" ;;`,
  );
  const script = [
    '#!/bin/sh',
    'shift',
    'package=$1',
    'shift',
    'case "$package" in',
    ...cases,
    'esac',
    'exit 1',
    '',
  ];
  write(join(bin, name), script.join('\n'));
  chmodSync(join(bin, name), 0o755);
}

function program(name, words) {
  write(join(bin, name), `#!/bin/sh\nexec ${words.map((word) => `'${word}'`).join(' ')} "$@"\n`);
  chmodSync(join(bin, name), 0o755);
}

function installed(name) {
  return join(dirname(require.resolve(`${name}/package.json`)), 'dist', 'index.js');
}

function write(path, content) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}
