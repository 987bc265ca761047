// The built command as a child process, and a client at its pipes that sends only what a trip asks for.
import { createInterface } from 'node:readline';

import { Command } from './command.mjs';

const REVISION = '2025-11-25';
const ANSWER_WITHIN_MS = 60_000;

/** A mux without servers, started as a client starts it; the coverage agent is preloaded. */
export class Product {
  /** How many times a server asked for an elicitation. */
  elicitations = 0;
  #command;
  #waiting = new Map();
  #nextId = 1;

  constructor(root) {
    this.#command = new Command(root, {});
    const { child } = this.#command;
    child.on('exit', () => this.#ended());
    createInterface({ input: child.stdout }).on('line', (line) => this.#receive(JSON.parse(line)));
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
      const late = () => reject(new Error(`${method} was not answered\n${this.#command.stderr}`));
      this.#waiting.set(id, { resolve, reject, timer: setTimeout(late, ANSWER_WITHIN_MS) });
      this.#send({ id, method, params });
    });
  }

  /** Calls a tool; a result with `isError` rejects. */
  async call(name, args = {}) {
    const result = await this.request('tools/call', { name, arguments: args });
    if (result.isError) throw new Error(`${name}: ${JSON.stringify(result.content)}`);
  }

  coverage() {
    return this.#command.coverage();
  }

  close() {
    return this.#command.close((child) => child.stdin.end());
  }

  #send(message) {
    this.#command.child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
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
      reject(new Error(`the command has ended\n${this.#command.stderr}`));
    }
  }
}
