import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { createInterface, type Interface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';

import { cleanEnvironment } from '../testing/built-cli.js';
import { SERVERS } from './servers.js';

/** The untouched server once more, without mcpmux in between: what a call takes on this machine, as busy as it is. */
export class DirectEcho {
  /** Milliseconds that each call took. */
  readonly times: number[] = [];
  private readonly child: ChildProcessByStdio<Writable, Readable, null>;
  private readonly answers: Interface;

  constructor() {
    const { command, args } = SERVERS['healthy'] ?? { command: 'no such server', args: [] };
    this.child = spawn(command, args, { env: cleanEnvironment(), stdio: ['pipe', 'pipe', 'ignore'] });
    this.answers = createInterface({ input: this.child.stdout, crlfDelay: 0 });
  }

  /** One call, whose answer is awaited. The next one begins after it. */
  async call(): Promise<void> {
    const start = performance.now();
    const answered = once(this.answers, 'line');
    const params = { name: 'echo', arguments: { nonce: 'direct', n: 0 } };
    this.child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })}\n`);
    await answered;
    this.times.push(performance.now() - start);
  }

  [Symbol.dispose](): void {
    this.child.kill('SIGKILL');
  }
}
