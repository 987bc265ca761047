/** Notifications that the queue holds at most once. */
const SAID_ONCE = /^notifications\/(?:tools|prompts|resources)\/list_changed$/;

interface HeldMessage {
  readonly method: string;
  readonly line: Buffer;
}

/**
 * Messages that belong to no request and that arrived while the client had no open stream. The oldest is dropped first.
 */
export class HeldMessages {
  private messages: HeldMessage[] = [];
  private bytes = 0;

  constructor(private readonly limits: { readonly maxEvents: number; readonly maxEventBytes: number }) {}

  hold(method: string, line: Buffer): void {
    if (SAID_ONCE.test(method) && this.messages.some((held) => held.method === method)) return;
    this.messages.push({ method, line });
    this.bytes += line.length;
    while (this.messages.length > this.limits.maxEvents || this.bytes > this.limits.maxEventBytes) {
      this.bytes -= this.messages.shift()?.line.length ?? 0;
    }
  }

  takeAll(): readonly Buffer[] {
    const all = this.messages.map(({ line }) => line);
    this.messages = [];
    this.bytes = 0;
    return all;
  }
}
