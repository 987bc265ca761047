import type { HttpClient } from './http-clients.js';

/** Calls a tool that answers with its message until it does, and gives the milliseconds that it took. */
export async function untilAnswered(
  client: HttpClient,
  message: string,
  tool = 'echo__echo',
): Promise<number> {
  const startedAt = performance.now();
  for (;;) {
    const text = await client.call(tool, { message }).catch(String);
    if (text === message) return performance.now() - startedAt;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Clients of SDK v1 keep something of each call, and complain of thousands. */
const PACE_MS = 20;

/** Calls that go on until they are ended. */
export class Calls {
  readonly times: number[] = [];
  /** Answers that are no answer of the server. */
  readonly wrong: string[] = [];
  private isOver = false;
  private readonly running: Promise<void>;

  /** @param call resolves with its own word */
  constructor(private readonly call: (word: string) => Promise<string>) {
    this.running = this.run();
  }

  /** Ends them. Resolves when the last one was answered. */
  end(): Promise<void> {
    this.isOver = true;
    return this.running;
  }

  private async run(): Promise<void> {
    for (let count = 0; !this.isOver; count += 1) {
      const from = performance.now();
      const word = `call ${count}`;
      const text = await this.call(word).catch(String);
      this.times.push(performance.now() - from);
      if (text !== word) this.wrong.push(text);
      await new Promise((resolve) => setTimeout(resolve, PACE_MS));
    }
  }
}
