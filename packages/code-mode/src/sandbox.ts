import type { Worker } from 'node:worker_threads';

import { type Clock, messageOf, type Timer } from '@mcpmux/kit';

import type { FromSandbox, SandboxEnd, SandboxInput, SandboxRequest, ToSandbox } from './sandbox-messages.js';
import type { SandboxThreads } from './sandbox-threads.js';

/** Interval between checks of the code's computing time, in milliseconds. */
const COMPUTE_CHECK_MS = 50;
/** The host's interface for one run of code. */
export interface SandboxHost {
  readonly clock: Clock;
  /** Stops the run when aborted. */
  readonly signal: AbortSignal;
  /** Resolves to the answer to the code's request, as JSON text. If it rejects, the code gets the error's message. */
  readonly answerRequest: (request: SandboxRequest) => Promise<string>;
  readonly print: (line: string) => void;
}

/** Time limits of one run, in milliseconds. */
export interface SandboxTimes {
  /** Maximum computing time of the code, excluding the time that it waits for calls. */
  readonly computeMs: number;
  /** Maximum duration of the run, including calls. */
  readonly timeoutMs: number;
}

/** The outcome of a run. `stopped`: the host ended the run, or the thread failed. */
export type SandboxOutcome = SandboxEnd | { readonly kind: 'stopped'; readonly reason: string };

/**
 * Runs code in a separate thread, in an interpreter that can access only the host's functions. The thread ends with the
 * run, so runs are isolated from each other. Stops a run that exceeds a time limit. Never rejects.
 */
export async function runCode(
  threads: SandboxThreads,
  input: SandboxInput,
  times: SandboxTimes,
  host: SandboxHost,
): Promise<SandboxOutcome> {
  const run = new SandboxRun(threads.start(input), times, host);
  try {
    return await run.outcome;
  } finally {
    run.close();
  }
}

class SandboxRun {
  readonly outcome: Promise<SandboxOutcome>;
  private resolveOutcome: (outcome: SandboxOutcome) => void = () => undefined;
  private readonly timers: (Timer | undefined)[];
  private readonly cancel = (): void => this.stop('the call was cancelled');

  constructor(
    private readonly thread: Worker,
    private readonly times: SandboxTimes,
    private readonly host: SandboxHost,
  ) {
    const { clock, signal } = host;
    this.outcome = new Promise((resolve) => (this.resolveOutcome = resolve));
    thread.on('message', (message: FromSandbox) => this.handleMessage(message));
    thread.on('error', (error) => this.stop(reasonOf(error)));
    thread.on('exit', () => this.stop('its thread ended'));
    const stopAtTimeout = (): void => this.stop(`it took more than ${times.timeoutMs / 1000} s in all`);
    this.timers = [clock.schedule(stopAtTimeout, times.timeoutMs), undefined];
    signal.addEventListener('abort', this.cancel, { once: true });
    if (signal.aborted) this.cancel();
  }

  /** Terminates the thread, without waiting for it to exit. */
  close(): void {
    for (const timer of this.timers) timer?.cancel();
    this.host.signal.removeEventListener('abort', this.cancel);
    void this.thread.terminate();
  }

  private handleMessage(message: FromSandbox): void {
    switch (message.kind) {
      case 'compiled':
        return;
      case 'ready':
        return this.watchComputeTime(this.activeMs());
      case 'line':
        return this.host.print(message.text);
      case 'request':
        return void this.answerRequest(message);
      case 'value':
      case 'error':
      case 'stuck':
        return this.resolveOutcome(message);
    }
  }

  private async answerRequest(request: SandboxRequest): Promise<void> {
    const { id } = request;
    let answer: ToSandbox;
    try {
      answer = { id, json: await this.host.answerRequest(request) };
    } catch (error) {
      answer = { id, error: messageOf(error) };
    }
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    this.thread.postMessage(answer);
  }

  /**
   * Stops the run when the thread exceeds its computing time. An interrupt handler in the interpreter would not
   * suffice, because some built-in functions can run for minutes without calling the handler.
   */
  private watchComputeTime(before: number): void {
    const { computeMs } = this.times;
    if (this.activeMs() - before > computeMs) return this.stop(`it computed for more than ${computeMs} ms`);
    this.timers[1] = this.host.clock.schedule(() => this.watchComputeTime(before), COMPUTE_CHECK_MS);
  }

  private activeMs(): number {
    return this.thread.performance.eventLoopUtilization().active;
  }

  private stop(reason: string): void {
    this.resolveOutcome({ kind: 'stopped', reason });
  }
}

function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'it needed too much memory' : messageOf(error);
}
