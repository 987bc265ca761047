import type { ChildProcess } from 'node:child_process';

/** Lets a process run for a part of the time alone, as on a machine that is overloaded, until it is disposed of. */
export class SlowProcess implements Disposable {
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly child: ChildProcess,
    private readonly stoppedMs: number,
    private readonly runningMs: number,
  ) {
    this.stop();
  }

  private stop(): void {
    this.child.kill('SIGSTOP');
    this.timer = setTimeout(() => {
      this.child.kill('SIGCONT');
      this.timer = setTimeout(() => this.stop(), this.runningMs);
    }, this.stoppedMs);
  }

  [Symbol.dispose](): void {
    clearTimeout(this.timer);
    this.child.kill('SIGCONT');
  }
}
