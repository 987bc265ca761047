import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { propertyRuns } from '@mcpmux/testing/property-runs';

import { cancellation, connected, outgoingCall, type Connected } from '../../testing/connected.js';
import { RecordingSink } from '../../testing/recording-sink.js';

const CALL =
  '{"jsonrpc":"2.0","id":"c","method":"tools/call","params":{"name":"echo","_meta":{"progressToken":"t"}}}';
const CANCELLED = '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"c"}}';

/** What can happen to a connection; `id` is one that was given out, or is about to be, or never. */
const step = fc.oneof(
  fc.constant({ what: 'call' } as const),
  fc.record({
    what: fc.constantFrom('answer', 'error', 'hollow', 'progress', 'break off', 'cancel', 'abandon'),
    id: fc.integer({ min: 0, max: 12 }),
  }),
  fc.record({
    what: fc.constantFrom('garbage', 'notification', 'foreign'),
    id: fc.integer({ min: 0, max: 12 }),
  }),
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** What each caller must have been told, in a few words per event. */
class Model {
  readonly reported: string[][] = [];
  readonly pending = new Set<number>();
  dropped = 0;
  notifications = 0;

  call(): void {
    this.reported.push([]);
    this.pending.add(this.reported.length);
  }

  report(id: number, event: string, isLast: boolean): void {
    if (!this.pending.has(id)) {
      this.dropped += 1;
      return;
    }
    this.reported[id - 1]?.push(event);
    if (isLast) this.pending.delete(id);
  }

  /** A line that cannot be read is dropped, and ends the call that it answered. */
  breakOff(id: number): void {
    this.dropped += 1;
    if (!this.pending.delete(id)) return;
    this.reported[id - 1]?.push('unreadable-response');
  }

  end(): void {
    for (const id of this.pending) this.reported[id - 1]?.push('removed');
    this.pending.clear();
  }
}

function inWords({ events }: RecordingSink): string[] {
  return events.map((event) => {
    if ('progress' in event) return `progress ${event.token}`;
    if ('response' in event) return `${event.response.includes('"error"') ? 'error' : 'answer'} ${event.id}`;
    return event.failure.kind;
  });
}

/** Does one step to the connection and to the model of it. */
function take(each: Step, { connection }: Connected, sinks: RecordingSink[], model: Model): void {
  const receive = (line: string): void => connection.line(Buffer.from(line));
  const id = 'id' in each ? each.id : 0;
  switch (each.what) {
    case 'call': {
      const sink = new RecordingSink();
      sinks.push(sink);
      connection.calls.sendCall(outgoingCall(CALL), sink);
      return model.call();
    }
    case 'answer':
      receive(`{"jsonrpc":"2.0","id":${id},"result":{}}`);
      return model.report(id, `answer ${id}`, true);
    case 'error':
      receive(`{"jsonrpc":"2.0","id":${id},"error":{"code":-32603,"message":"no"}}`);
      return model.report(id, `error ${id}`, true);
    case 'hollow':
      receive(`{"jsonrpc":"2.0","id":${id}}`);
      return model.report(id, 'unreadable-response', true);
    case 'progress':
      receive(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":${id}}}`);
      return model.report(id, `progress ${id}`, false);
    case 'break off':
      receive(`{"jsonrpc":"2.0","id":${id},"result":{`);
      return model.breakOff(id);
    case 'cancel':
      connection.calls.cancel(id, ...cancellation(CANCELLED));
      return void model.pending.delete(id);
    case 'abandon':
      connection.calls.abandon(id);
      return void model.pending.delete(id);
    case 'garbage':
      receive(`[log] request ${id} {"id":${id}} is being served`);
      model.dropped += 1;
      return;
    case 'foreign':
      receive(`{"jsonrpc":"2.0","id":"x${id}","result":{}}`);
      model.dropped += 1;
      return;
    case 'notification':
      receive('{"jsonrpc":"2.0","method":"notifications/message","params":{}}');
      model.notifications += 1;
  }
}

describe('whatever a server and its clients do', () => {
  it('M9: each caller is told of its own call only, in order, and of its end exactly once', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60, size: 'max' }), (steps) => {
        const rig = connected();
        const model = new Model();
        const sinks: RecordingSink[] = [];
        for (const each of steps) take(each, rig, sinks, model);
        rig.connection.failAll({ kind: 'removed' });
        model.end();
        expect(sinks.map(inWords)).toEqual(model.reported);
        expect(rig.connection.droppedLineCount).toBe(model.dropped);
        expect(rig.notifications).toHaveLength(model.notifications);
      }),
      propertyRuns(100),
    );
  });
});
