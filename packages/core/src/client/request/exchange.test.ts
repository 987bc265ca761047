import { describe, expect, it } from 'vitest';

import { inOnePiece, keyPaths, type OutgoingLine, readMessage, stringId } from '@mcpmux/wire';
import { SessionRig } from '../../testing/session-rig.js';
import { DEADLINE, Exchange, GONE, type AbortReason } from './exchange.js';

const LINE = Buffer.from('{"jsonrpc":"2.0","id":"x","method":"a/b","params":{"name":"n"}}');
const CANCELLED: AbortReason = { kind: 'cancelled', line: LINE, requestId: { start: 22, end: 25 } };

/** An open exchange, and the answers that its owner was given. */
function opened(): { readonly exchange: Exchange; readonly answers: string[]; readonly rig: SessionRig } {
  const answers: string[] = [];
  const rig = new SessionRig();
  const owner = {
    caller: rig.session,
    onAnswer: (_: string, line: OutgoingLine) => void answers.push(inOnePiece(line).toString()),
  };
  const message = readMessage(LINE, keyPaths(['name']));
  if (message.kind !== 'request') throw new Error('no request');
  return { exchange: new Exchange(owner, stringId('x'), LINE, message), answers, rig };
}

describe('an exchange', () => {
  it('M9: is answered once: later answers and progress are dropped', async () => {
    const { exchange, answers, rig } = opened();
    exchange.sendProgress(Buffer.from('progress\n'));
    exchange.respond(Buffer.from('first'));
    exchange.respond(Buffer.from('second'));
    exchange.sendProgress(Buffer.from('late\n'));
    expect(answers).toEqual(['first']);
    expect(exchange.isOpen).toBe(false);
    await expect(rig.exchange()).resolves.toEqual(['progress']);
  });

  it('is not undone once it is answered', () => {
    const { exchange, answers } = opened();
    const undone: AbortReason[] = [];
    exchange.onAbort((why) => undone.push(why));
    exchange.respond(Buffer.from('answer'));
    for (const why of [CANCELLED, GONE, DEADLINE]) exchange.abort(why);
    expect(undone).toEqual([]);
    expect(answers).toEqual(['answer']);
  });

  it('gives its line up when nobody needs it any more', () => {
    const { exchange } = opened();
    expect(exchange.textAt('name')?.text).toBe('n');
    exchange.release();
    expect([exchange.line.length, exchange.textAt('name')]).toEqual([0, undefined]);
  });
});

describe('an exchange that ends before its answer', () => {
  it.each([CANCELLED, GONE])(
    'is undone once and never answered: its id may be that of another: %j',
    (why) => {
      const { exchange, answers } = opened();
      const undone: AbortReason[] = [];
      exchange.onAbort((reason) => {
        undone.push(reason);
        exchange.respond(Buffer.from('too late'));
      });
      exchange.abort(why);
      exchange.abort(why);
      exchange.respond(Buffer.from('too late'));
      expect(undone).toEqual([why]);
      expect(answers).toEqual([]);
    },
  );

  it('is undone by the last that was set', () => {
    const { exchange } = opened();
    const undone: string[] = [];
    exchange.onAbort(() => undone.push('first'));
    exchange.onAbort(() => undone.push('second'));
    exchange.abort(GONE);
    expect(undone).toEqual(['second']);
  });

  it('at the deadline is answered by the undo, or else as one that was not answered in time', () => {
    const own = opened();
    own.exchange.onAbort(({ kind }) => own.exchange.respond(Buffer.from(kind)));
    own.exchange.abort(DEADLINE);
    expect(own.answers).toEqual(['deadline']);
    const other = opened();
    other.exchange.abort(DEADLINE);
    other.exchange.respond(Buffer.from('too late'));
    expect(other.answers).toEqual([
      '{"jsonrpc":"2.0","id":"x","error":{"code":-32603,"message":"mcpmux shut down before it could answer"}}\n',
    ]);
  });
});
