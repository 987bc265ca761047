// The built command, as a client on Windows starts it: one `serve` over pipes, and commands beside it.
import { execFile, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import process from 'node:process';

/** A running `mcpmux serve`. */
export class Serving {
  #last = 0;
  #waiting = new Map();

  constructor(child) {
    this.child = child;
    this.stderr = '';
    this.exited = new Promise((resolve) => child.on('exit', resolve));
    child.stderr.setEncoding('utf8').on('data', (text) => (this.stderr += text));
    createInterface({ input: child.stdout }).on('line', (line) => {
      const { id, method, result, error } = JSON.parse(line);
      if (method === undefined) this.#waiting.get(id)?.(result ?? { error });
    });
  }

  /** Starts the command, or what a client has in its entry. */
  static async start({ command = process.execPath, args, env, cwd }) {
    const child = spawn(command, args, { env, cwd, windowsHide: true });
    const serving = new Serving(child);
    child.on('error', (error) => (serving.stderr += String(error)));
    const opening = serving.request('initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'driver', version: '1' },
    });
    const { serverInfo } = (await Promise.race([opening, serving.exited])) ?? {};
    if (serverInfo === undefined) throw new Error(`did not start: ${serving.stderr}`);
    serving.serverInfo = serverInfo;
    serving.notify('notifications/initialized');
    return serving;
  }

  request(method, params) {
    this.#last += 1;
    const id = this.#last;
    this.child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    return new Promise((resolve) => this.#waiting.set(id, resolve));
  }

  notify(method) {
    this.child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method })}\n`);
  }

  /** Calls a tool, and returns its text. Throws the text of an error. */
  async call(name, args = {}) {
    const result = await this.request('tools/call', { name, arguments: args });
    const text = result.content?.map((block) => block.text ?? '').join('\n') ?? JSON.stringify(result);
    if (result.isError === true || result.error !== undefined) throw new Error(text);
    return text;
  }

  /** Calls a tool of `server.mjs`, again while its server starts, as the error says. */
  async value(name, args) {
    for (;;) {
      const text = await this.call(name, args).catch((/** @type {unknown} */ error) => {
        if (!/still starting/.test(String(error))) throw error;
      });
      if (text !== undefined) return JSON.parse(text);
    }
  }

  /** Ends stdin, as clients do. Returns the exit code. */
  end() {
    this.child.stdin.end();
    return this.exited;
  }
}

/** Runs a command to its end. */
export function run(args, { env, cwd, input = '' } = {}) {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, args, { env, cwd, windowsHide: true }, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stdout, stderr }),
    );
    child.stdin.end(input);
  });
}

/** Resolves to the processes that still run after at most `ms`. */
export async function stillRunning(pids, ms = 10_000) {
  for (const end = Date.now() + ms; ;) {
    const left = pids.filter(isRunning);
    if (left.length === 0 || Date.now() > end) return left;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** True if a process runs. */
export function isRunning(pid) {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
