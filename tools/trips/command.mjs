// The built command as a child process whose coverage can be read; its state is in a folder of its own.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';

const AGENT = fileURLToPath(new URL('agent.cjs', import.meta.url));

/** The command `mcpmux serve` with further arguments; the coverage agent is preloaded. */
export class Command {
  stderr = '';
  child;
  #dist;
  #home = mkdtempSync(join(tmpdir(), 'mcpmux-trips-'));

  /** The config has the given servers; undefined starts the command without a config. */
  constructor(root, { args = [], servers }) {
    const cli = join(root, 'packages', 'cli');
    this.#dist = String(pathToFileURL(join(cli, 'dist')));
    // the socket serves other commands, and its book of calls is no part of a trip
    const command = [
      join(cli, 'bin', 'mcpmux.cjs'),
      'serve',
      ...this.#config(servers),
      '--no-socket',
      ...args,
    ];
    this.child = spawn(process.execPath, ['--require', AGENT, ...command], {
      stdio: ['pipe', 'pipe', 'pipe', 'ipc'],
      cwd: this.#home,
      env: environment(this.#home),
    });
    this.child.stderr.on('data', (chunk) => (this.stderr += chunk.toString()));
  }

  /** The scripts of the bundle with the functions entered since the last call of this method. */
  async coverage() {
    const answer = once(this.child, 'message');
    this.child.send({ below: this.#dist });
    const [scripts] = await answer;
    return scripts;
  }

  /** Waits for the exit of the command, which `end` causes. */
  async close(end) {
    if (this.child.exitCode === null && this.child.signalCode === null) {
      const exit = once(this.child, 'exit');
      end(this.child);
      await exit;
    }
    rmSync(this.#home, { recursive: true, force: true });
  }

  #config(servers) {
    if (servers === undefined) return ['--no-config'];
    const file = join(this.#home, 'config.json');
    writeFileSync(file, JSON.stringify({ mcpServers: servers }));
    return ['--config', file];
  }
}

/** The config, state and settings of the user stay out. */
function environment(home) {
  return {
    PATH: process.env.PATH,
    HOME: home,
    XDG_CONFIG_HOME: home,
    XDG_STATE_HOME: home,
    MCPMUX_RUNTIME_DIR: home,
  };
}
