import { ChildProcess, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { PassThrough } from 'node:stream';

/** A child process that is none: its streams are in memory, and it emits what the test lets it emit. */
export interface FakeChild extends ChildProcessWithoutNullStreams {
  readonly stdin: PassThrough;
  readonly stdout: PassThrough;
  readonly stderr: PassThrough;
}

/** @param pid - leave it out for a child whose process could not be made */
export function fakeChild(pid?: number): FakeChild {
  const stdin = new PassThrough();
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  const stdio: FakeChild['stdio'] = [stdin, stdout, stderr, undefined, undefined];
  return Object.assign(new ChildProcess(), { pid, stdin, stdout, stderr, stdio });
}
