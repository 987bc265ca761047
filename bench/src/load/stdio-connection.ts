import type { ManagedProcess } from '../managed-process.js';
import { NOBODY, type Connection, type ConnectionHandler } from './connection.js';
import { LineScanner } from './line-scanner.js';

/** Newline-delimited JSON with the standard streams of a process. */
export class StdioConnection implements Connection {
  private handler: ConnectionHandler = NOBODY;

  constructor(private readonly process: ManagedProcess) {
    const scanner = new LineScanner((line) => this.handler.line(line));
    const { stdin, stdout } = process.child;
    stdout.on('data', (chunk: Buffer) => scanner.push(chunk));
    stdin.on('error', (error: Error) => this.handler.ended(error));
    void process.exited.then(() => this.handler.ended(process.failure('ended')));
  }

  listen(handler: ConnectionHandler): void {
    this.handler = handler;
  }

  send(message: string): void {
    this.process.child.stdin.write(`${message}\n`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.handler = NOBODY;
    await this.process[Symbol.asyncDispose]();
  }
}
