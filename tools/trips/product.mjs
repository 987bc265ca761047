// The built command as a child process, and a client at its pipes that sends only what a trip asks for.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';

const AGENT = fileURLToPath(new URL('agent.cjs', import.meta.url));
const REVISION = '2025-11-25';
const ANSWER_WITHIN_MS = 60_000;

/** A mux without servers, started as a client starts it; the coverage agent is preloaded. */
export class Product {
  /** How many times a server asked for an elicitation. */
  elicitations = 0;
  #dist;
  #home = mkdtempSync(join(tmpdir(), 'mcpmux-trips-'));
  #child;
  #stderr = '';
  #waiting = new Map();
  #nextId = 1;

  constructor(root) {
    const cli = join(root, 'packages', 'cli');
    this.#dist = String(pathToFileURL(join(cli, 'dist')));
    // the socket serves other commands, and its book of calls is no part of a trip
    const command = [join(cli, 'bin', 'mcpmux.cjs'), 'serve', '--no-config', '--no-socket'];
    this.#child = spawn(process.execPath, ['--require', AGENT, ...command], {
      stdio: ['pipe', 'pipe', 'pipe', 'ipc'],
      cwd: this.#home,
      env: environment(this.#home),
    });
    this.#child.stderr.on('data', (chunk) => (this.#stderr += chunk.toString()));
    this.#child.on('exit', () => this.#ended());
    createInterface({ input: this.#child.stdout }).on('line', (line) => this.#receive(JSON.parse(line)));
  }

  async initialize() {
    const clientInfo = { name: 'trips', version: '1' };
    const capabilities = { elicitation: {} };
    await this.request('initialize', { protocolVersion: REVISION, capabilities, clientInfo });
    this.#send({ method: 'notifications/initialized' });
  }

  /** Sends a request and gives the result; an error rejects. */
  request(method, params = {}) {
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      const late = () => reject(new Error(`${method} was not answered\n${this.#stderr}`));
      this.#waiting.set(id, { resolve, reject, timer: setTimeout(late, ANSWER_WITHIN_MS) });
      this.#send({ id, method, params });
    });
  }

  /** Calls a tool; a result with `isError` rejects. */
  async call(name, args = {}) {
    const result = await this.request('tools/call', { name, arguments: args });
    if (result.isError) throw new Error(`${name}: ${JSON.stringify(result.content)}`);
  }

  /** The scripts of the bundle with the functions entered since the last call of this method. */
  async coverage() {
    const answer = once(this.#child, 'message');
    this.#child.send({ below: this.#dist });
    const [scripts] = await answer;
    return scripts;
  }

  async close() {
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      const exit = once(this.#child, 'exit');
      this.#child.stdin.end();
      await exit;
    }
    rmSync(this.#home, { recursive: true, force: true });
  }

  #send(message) {
    this.#child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  #receive({ id, method, result, error }) {
    if (method === 'elicitation/create') {
      this.elicitations += 1;
      this.#send({ id, result: { action: 'decline' } });
    }
    const waiting = method === undefined ? this.#waiting.get(id) : undefined;
    if (waiting === undefined) return;
    this.#waiting.delete(id);
    clearTimeout(waiting.timer);
    if (error === undefined) waiting.resolve(result);
    else waiting.reject(new Error(JSON.stringify(error)));
  }

  #ended() {
    for (const { reject, timer } of this.#waiting.values()) {
      clearTimeout(timer);
      reject(new Error(`the command has ended\n${this.#stderr}`));
    }
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
