import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';

/** Notifications of which the queue needs only one. */
const SAID_ONCE = /^notifications\/(?:tools|prompts|resources)\/list_changed$/;

/** Messages that belong to no request and came while the client had no stream open. The oldest is dropped first. */
export class HeldMessages {
  private messages: { readonly message: JSONRPCMessage; readonly bytes: number }[] = [];
  private bytes = 0;

  constructor(private readonly limits: { readonly maxEvents: number; readonly maxEventBytes: number }) {}

  hold(message: JSONRPCMessage): void {
    if (this.isSaid(message)) return;
    const bytes = JSON.stringify(message).length;
    this.messages.push({ message, bytes });
    this.bytes += bytes;
    while (this.messages.length > this.limits.maxEvents || this.bytes > this.limits.maxEventBytes) {
      this.bytes -= this.messages.shift()?.bytes ?? 0;
    }
  }

  takeAll(): readonly JSONRPCMessage[] {
    const all = this.messages.map(({ message }) => message);
    this.messages = [];
    this.bytes = 0;
    return all;
  }

  private isSaid(message: JSONRPCMessage): boolean {
    if (!('method' in message) || !SAID_ONCE.test(message.method)) return false;
    const { method } = message;
    return this.messages.some(({ message: held }) => 'method' in held && held.method === method);
  }
}
