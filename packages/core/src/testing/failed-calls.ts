import { outgoingCall, type Connected } from './connected.js';
import { nextTurn } from '@mcpmux/testing/next-turn';
import { RecordingSink } from './recording-sink.js';

const CALL = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"broken"}}';

/** Sends so many calls, with the ids 1, 2, and so on. */
export async function callTimes({ connection }: Connected, count: number): Promise<RecordingSink[]> {
  const sinks = Array.from({ length: count }, () => new RecordingSink());
  for (const sink of sinks) connection.calls.sendCall(outgoingCall(CALL), sink);
  await nextTurn();
  return sinks;
}

/** Which of the callers were told of an unreadable response, by id. */
export function failed(sinks: readonly RecordingSink[]): number[] {
  return sinks.flatMap(({ events }, index) => {
    const isFailed = events.some(
      (event) => 'failure' in event && event.failure.kind === 'unreadable-response',
    );
    return isFailed ? [index + 1] : [];
  });
}
