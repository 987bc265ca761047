import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const require = createRequire(join(root, 'e2e', 'package.json'));
const START_WITHIN_MS = 30_000;
/** Where the reader of a capture is at home. */
const SHOWN_HOME = '/home/ann';

/** A home folder of its own with mcpmux installed as a package, as readers have it: a clone registers itself in clients. */
export class CaptureHome {
  /** Of the same length on every machine: commands cut and wrap lines that contain it. */
  folder = realpathSync(mkdtempSync('/tmp/ann-'));
  #bin = join(this.folder, '.bin');
  env = {
    HOME: this.folder,
    PATH: [this.#bin, dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter),
    XDG_CONFIG_HOME: join(this.folder, '.config'),
    XDG_STATE_HOME: join(this.folder, '.local', 'state'),
    MCPMUX_RUNTIME_DIR: join(this.folder, '.run'),
    COLUMNS: '100',
  };

  constructor() {
    const installation = join(this.folder, '.lib', 'node_modules', '@mcpmux', 'cli');
    for (const part of ['bin', 'dist', 'package.json'])
      cpSync(join(root, 'packages', 'cli', part), join(installation, part), { recursive: true });
    this.#program('mcpmux', `exec '${process.execPath}' '${join(installation, 'bin', 'mcpmux.cjs')}' "$@"`);
    this.#program('npx', runner(['everything', 'filesystem']));
  }

  write(path, content) {
    const file = path.replace('~', this.folder);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }

  /** A text with the home folder that readers see. */
  shown(text) {
    return text.replaceAll(this.folder, SHOWN_HOME);
  }

  /** A mcpmux as a client starts it, once its servers run. */
  async start(command) {
    const child = spawn('/bin/sh', ['-c', `exec ${command}`], {
      cwd: this.folder,
      env: this.env,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    const deadline = Date.now() + START_WITHIN_MS;
    while (!this.#isUp(child.pid)) {
      if (Date.now() > deadline) throw new Error(`${command}: its servers do not run`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    return child;
  }

  async end(child) {
    const exit = new Promise((resolve) => child.on('exit', resolve));
    child.stdin.end();
    await exit;
  }

  remove() {
    rmSync(this.folder, { recursive: true, force: true });
  }

  #isUp(pid) {
    const { stdout } = spawnSync('mcpmux', ['list', '--all', '--json'], {
      cwd: this.folder,
      env: this.env,
      encoding: 'utf8',
    });
    const instance = JSON.parse(stdout).find((candidate) => candidate.pid === pid);
    return instance?.servers.every(({ status }) => status !== 'starting') ?? false;
  }

  #program(name, script) {
    const file = join(this.#bin, name);
    this.write(file, `#!/bin/sh\n${script}\n`);
    chmodSync(file, 0o755);
  }
}

/** A `npx` that starts servers of this clone: no package is fetched. */
function runner(servers) {
  const cases = servers.map((word) => {
    const path = installed(`@modelcontextprotocol/server-${word}`);
    return `  *server-${word}*) exec '${process.execPath}' '${path}' "$@" ;;`;
  });
  return ['shift', 'package=$1', 'shift', 'case "$package" in', ...cases, 'esac', 'exit 1'].join('\n');
}

function installed(name) {
  return join(dirname(require.resolve(`${name}/package.json`)), 'dist', 'index.js');
}
