import { type BorrowedLine, inOnePiece, type OutgoingLine, readMessage, stringId } from '@mcpmux/wire';
import { ManualClock } from '@mcpmux/testing/manual-clock';
import { describe, expect, it } from 'vitest';

import type { Connection } from '../../server/link/connection.js';
import { SessionRig } from '../../testing/session-rig.js';
import { StandInUpstream } from '../../testing/stand-in-upstream.js';
import type { Crossing } from './crossing.js';
import { Exchange } from './exchange.js';
import { ForwardedCall } from './forwarded-call.js';
import { unlessBridged, type ResultReader } from './result-reader.js';

const LINE = Buffer.from('{"jsonrpc":"2.0","id":"x","method":"tools/call","params":{}}');
const RESULT = '{"jsonrpc":"2.0","id":7,"result":{"a":1,"b":2}}';

/** Answers a call; gives the names of its readers in the order in which they read, and the answer. */
function answered(answer: string, crosses: boolean) {
  const read: string[] = [];
  const answers: string[] = [];
  const message = readMessage(LINE, []);
  const line: BorrowedLine = Buffer.from(answer);
  const response = readMessage(line, []);
  if (message.kind !== 'request' || response.kind !== 'response') throw new Error('no call');
  const owner = {
    caller: new SessionRig().session,
    onAnswer: (_: string, sent: OutgoingLine) => void answers.push(inOnePiece(sent).toString().trimEnd()),
  };
  const reader =
    (name: string, digit: string): ResultReader =>
    () => {
      read.push(name);
      const at = line.indexOf(digit);
      return [{ span: { start: at, end: at + 1 }, bytes: `"${name}"` }];
    };
  const crossing: Crossing = {
    edits: [],
    onResponse: () => {
      read.push('crossing');
      return [];
    },
  };
  const call = new ForwardedCall(new Exchange(owner, stringId('x'), LINE, message), {
    upstream: new StandInUpstream('s'),
    connection: {} as Connection,
    // The edits of the first reader are at the end of the line.
    readers: [reader('first', '2}'), unlessBridged(reader('second', '1,'))],
    clock: new ManualClock(),
    crossing: crosses ? crossing : undefined,
  });
  call.onResponse(line, response);
  return { read, answers };
}

describe('the readers of a result', () => {
  it('read it one after the other, in the order of their list, and all their edits are made', () => {
    expect(answered(RESULT, false)).toEqual({
      read: ['first', 'second'],
      answers: ['{"jsonrpc":"2.0","id":"x","result":{"a":"second","b":"first"}}'],
    });
  });

  it('come after the crossing, and those for results that no crossing has read are left out', () => {
    expect(answered(RESULT, true)).toEqual({
      read: ['crossing', 'first'],
      answers: ['{"jsonrpc":"2.0","id":"x","result":{"a":1,"b":"first"}}'],
    });
  });

  it('read no error', () => {
    const { read, answers } = answered('{"jsonrpc":"2.0","id":7,"error":{"code":1,"message":"no"}}', false);
    expect(read).toEqual([]);
    expect(answers).toEqual(['{"jsonrpc":"2.0","id":"x","error":{"code":1,"message":"no"}}']);
  });
});
