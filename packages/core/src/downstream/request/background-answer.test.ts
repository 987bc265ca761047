import { describe, expect, it } from 'vitest';

import { nextTurn } from '@mcpmux/testing/next-turn';
import { stringId } from '@mcpmux/wire';
import { BackgroundAnswer } from './background-answer.js';

/** What the owner of an answer was told to send. */
function answering(): { readonly answer: BackgroundAnswer; readonly sent: string[] } {
  const sent: string[] = [];
  const owner = { answer: (id: string, line: () => Buffer) => void sent.push(`${id} ${line().toString()}`) };
  return { answer: new BackgroundAnswer(owner, stringId('b')), sent };
}

describe('an answer in the background', () => {
  it('is what the work gives, and comes after the request was put into the table', async () => {
    const { answer, sent } = answering();
    answer.run(() => Promise.resolve(Buffer.from('line')));
    expect(sent).toEqual([]);
    await nextTurn();
    expect(sent).toEqual(['"b" line']);
  });

  it.each([
    ['rejects', () => Promise.reject(new Error('defect'))],
    [
      'throws',
      (): never => {
        throw new Error('defect');
      },
    ],
  ])('is an error when the work %s', async (_, work) => {
    const { answer, sent } = answering();
    answer.run(work);
    await nextTurn();
    expect(sent).toEqual(['"b" {"jsonrpc":"2.0","id":"b","error":{"code":-32603,"message":"defect"}}\n']);
  });

  it.each(['cancel', 'abandon'] as const)(
    'is for nobody after %s: its id may be another one’s',
    async (end) => {
      const { answer, sent } = answering();
      answer.run(() => Promise.resolve(Buffer.from('line')));
      answer[end]();
      await nextTurn();
      expect(sent).toEqual([]);
    },
  );

  it('is an error when there is no more time', () => {
    expect(answering().answer.expire().toString()).toContain('"id":"b","error":{"code":-32603');
  });
});
