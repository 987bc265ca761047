import { toolCall, type LoadPlan } from '../load/run-load.js';
import { nodeCommand, type CommandLine } from '../managed-process.js';
import { measureLoad, type LoadFigures } from '../measure/measure-load.js';
import type { PayloadName } from '../payload.js';
import { programPath } from '../program-path.js';
import type { RunningTarget, TargetName } from '../targets/target.js';
import { targetOf } from '../targets/targets.js';
import type { Failure } from './cell.js';
import { verifyAnswers } from './verify.js';

/** How long and how much one window of load is. */
export interface Window {
  readonly windowMs: number;
  /** Every place in flight is used at least so many times. */
  readonly minCallsPerPlace: number;
}

interface Entry {
  readonly running: RunningTarget;
  readonly answerBytes: number;
}

/** The echo server behind every target; a number stands for a text of so many bytes. */
export function echoServer(payload: PayloadName | number, flags: readonly string[] = []): CommandLine {
  return nodeCommand(programPath('echo-server'), String(payload), ...flags);
}

/** All targets of a run side by side, each with an echo server that answers with the same payload. */
export class Lineup implements AsyncDisposable {
  readonly failures: Failure[] = [];
  private readonly entries = new Map<TargetName, Entry>();

  constructor(private readonly payload: PayloadName) {}

  async start(name: TargetName, flags: readonly string[]): Promise<void> {
    await this.recordFailure(name, async () => {
      const running = await targetOf(name).start(echoServer(this.payload, flags));
      this.entries.set(name, { running, answerBytes: 0 });
      const answerBytes = await verifyAnswers(running, this.payload);
      this.entries.set(name, { running, answerBytes });
    });
  }

  /** One window of load; undefined when the target has failed, now or before. */
  async measure(name: TargetName, inFlight: number, window: Window): Promise<LoadFigures | undefined> {
    const entry = this.entries.get(name);
    if (entry === undefined) return undefined;
    const { running, answerBytes } = entry;
    const plan: LoadPlan = {
      request: toolCall(running.tool, running.client.envelope),
      inFlight,
      windowMs: window.windowMs,
      minCalls: inFlight * window.minCallsPerPlace,
      answerBytes,
    };
    return this.recordFailure(name, () => measureLoad(running.client, running.pid, plan, running.others));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const all = [...this.entries.values()];
    this.entries.clear();
    await Promise.all(all.map(({ running }) => running[Symbol.asyncDispose]()));
  }

  private async recordFailure<Result>(
    target: TargetName,
    work: () => Promise<Result>,
  ): Promise<Result | undefined> {
    try {
      return await work();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.failures.push({ target, payload: this.payload, reason });
      await this.entries.get(target)?.running[Symbol.asyncDispose]();
      this.entries.delete(target);
      return undefined;
    }
  }
}
