import { CallLog } from './call-log.js';
import type { Connection, ConnectionHandler } from './connection.js';
import type { ScannedLine } from './scanned-line.js';

const STALL_MS = 60_000;

/** A load: the call, the number of calls at a time, and the duration. */
export interface LoadPlan {
  /** The request, before and after its id. */
  readonly request: readonly [before: string, after: string];
  readonly inFlight: number;
  /** Calls go on for this time, in milliseconds, */
  readonly windowMs: number;
  /** and at least until this many were sent. */
  readonly minCalls: number;
  /** Length of every answer without its id. */
  readonly answerBytes: number;
}

/** The figures of a load. Every call was answered once, with its id and an answer of the right length. */
export interface LoadSample {
  readonly calls: number;
  /** From the first request to the last answer. */
  readonly wallMs: number;
  /** Milliseconds, sorted. */
  readonly latencies: Float64Array;
}

/** A request to call a tool, to be completed by an id. */
export function toolCall(name: string, envelope: object = {}): LoadPlan['request'] {
  const params = JSON.stringify({ name, arguments: { message: 'hello' }, ...envelope });
  return ['{"jsonrpc":"2.0","id":', `,"method":"tools/call","params":${params}}`];
}

/** A request without parameters, to be completed by an id. */
export function plainRequest(method: string): LoadPlan['request'] {
  return ['{"jsonrpc":"2.0","id":', `,"method":${JSON.stringify(method)},"params":{}}`];
}

/** The state that a load starts from and leaves behind. */
export interface LoadFrame {
  /** Id of the first call; they count up. */
  readonly firstId: number;
  /** Gets the connection back in the moment of the last answer. */
  readonly afterwards: ConnectionHandler;
}

/** Sends calls, a new one for each answer, and waits for the last answer. */
export function runLoad(connection: Connection, plan: LoadPlan, frame: LoadFrame): Promise<LoadSample> {
  const { inFlight, windowMs, minCalls } = plan;
  const [before, after] = plan.request;
  const { firstId, afterwards } = frame;
  const log = new CallLog(firstId);
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const stop = started + windowMs;
    const stalled = setTimeout(() => fail(new Error(stallMessage(log))), windowMs + STALL_MS);
    const finish = (): void => {
      clearTimeout(stalled);
      connection.listen(afterwards);
    };
    const fail = (error: Error): void => {
      finish();
      reject(error);
    };
    const call = (now: number): void => connection.send(`${before}${log.send(now)}${after}`);
    const line = (received: ScannedLine): void => {
      const now = performance.now();
      const id = received.answerId();
      if (id === undefined) return;
      log.answer(id, now);
      checkLength(received, id, plan.answerBytes);
      if (now < stop || log.sent < minCalls) call(now);
      else if (log.answered === log.sent) {
        finish();
        resolve({ calls: log.sent, wallMs: now - started, latencies: log.latencies() });
      }
    };
    connection.listen({ line: orElse(line, fail), ended: fail });
    for (let index = 0; index < inFlight; index += 1) call(performance.now());
  });
}

function orElse(line: (received: ScannedLine) => void, fail: (error: Error) => void) {
  return (received: ScannedLine): void => {
    try {
      line(received);
    } catch (error) {
      fail(error instanceof Error ? error : new Error(String(error)));
    }
  };
}

function checkLength(line: ScannedLine, id: number, expected: number): void {
  const bytes = line.length - String(id).length;
  if (bytes === expected) return;
  throw new Error(`an answer of ${bytes} bytes instead of ${expected}: ${line.text().slice(0, 300)}`);
}

function stallMessage(log: CallLog): string {
  return `${log.sent - log.answered} of ${log.sent} calls are not answered`;
}
