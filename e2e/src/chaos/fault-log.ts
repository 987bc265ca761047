import type { Call } from './chaos-client.js';
import { textOf } from '../testing/tool-response.js';

/** What was done to one server since the beginning. */
export class FaultLog {
  private readonly faults = new Map<string, Set<string>>();

  note(server: string, fault: string): void {
    const known = this.faults.get(server) ?? new Set();
    this.faults.set(server, known.add(fault));
  }

  /** What is wrong with the answer to a call of a server, if anything is. */
  judge({ server, tool, nonce, answer }: Call): string | undefined {
    if (answer === undefined) return undefined;
    const failure =
      answer.error?.message ?? (answer.result?.['isError'] === true ? textOf(answer) : undefined);
    if (failure === undefined) {
      const text = textOf(answer);
      if (tool === 'oversize' || text === nonce) return undefined;
      return `${server}__${tool} returned ${text.slice(0, 80)} for ${nonce}`;
    }
    const [, causes] = REASONS.find(([pattern]) => pattern.test(failure)) ?? [];
    if (causes === undefined)
      return `${server}__${tool} failed for no reason that is known: ${failure.slice(0, 300)}`;
    if (!failure.includes(server)) return `a failure of ${server} does not name it: ${failure.slice(0, 200)}`;
    const faults = this.faults.get(server) ?? new Set();
    if (causes.length === 0 || causes.some((cause) => faults.has(cause))) return undefined;
    return `${server} was not given a reason for: ${failure.slice(0, 200)}`;
  }
}

/** What a failure may say, and which of these must have been done to the server; nothing for what needs no fault. */
const REASONS: readonly (readonly [RegExp, readonly string[]])[] = [
  [/exited with code \d/, ['exit', 'close_stdin', 'kill']],
  [/was killed by signal SIGKILL/, ['kill']],
  // Node.js itself, when a descriptor of its own was closed under it
  [/was killed by signal SIGABRT/, ['close_stdout']],
  [/closed its std|can no longer be reached/, ['close_stdout', 'close_stdin', 'stop_reading', 'stop']],
  [/was reloaded/, ['reload']],
  [/still starting/, ['reload', 'add']],
  [/was removed|[Uu]nknown|no server|not registered/, ['remove']],
  [/is busy/, ['stop', 'stop_reading', 'close_stdin']],
  [/response cannot be read/, ['damage', 'oversize']],
  [/shutting down/, ['end']],
  [/no tool|has no tool/, []],
];
