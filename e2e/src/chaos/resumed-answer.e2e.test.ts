import { expect, it } from 'vitest';

import { answerOf } from './resumed-answer.js';

const ANSWER = 'id: 2\ndata: {"jsonrpc":"2.0","id":1,"result":{}}\n\n';

/** A body that ends after these parts, or breaks. */
function body(parts: readonly string[], isBroken: boolean): Response {
  const left = parts.map((part) => Buffer.from(part));
  return new Response(
    new ReadableStream({
      pull(stream) {
        const part = left.shift();
        if (part !== undefined) stream.enqueue(part);
        else if (isBroken) stream.error(new Error('terminated'));
        else stream.close();
      },
    }),
  );
}

it('a stream that breaks before its answer is resumed behind its last event, until the answer has come', async () => {
  const asked: string[] = [];
  const answers = [new Response('not now', { status: 502 }), body([], true), body([ANSWER], true)];
  const reopen = (id: string): Promise<Response> => {
    asked.push(id);
    return Promise.resolve(answers.shift() ?? new Response('', { status: 404 }));
  };
  expect(await answerOf(body(['id: 1\n', 'data:\n\n'], true), reopen)).toContain(ANSWER);
  expect(asked).toEqual(['1', '1', '1']);
});

it('a body that breaks without an event, or whose session has ended, is lost', async () => {
  const gone = (): Promise<Response> => Promise.resolve(new Response('', { status: 404 }));
  await expect(answerOf(body(['{"json'], true), gone)).rejects.toThrow('terminated');
  await expect(answerOf(body(['id: 1\ndata:\n\n'], true), gone)).rejects.toThrow('terminated');
});

it('a body that ends is the answer, whatever it says', async () => {
  const none = (): undefined => undefined;
  expect(await answerOf(body(['{}'], false), none)).toBe('{}');
});
