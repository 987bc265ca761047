import { expect, it } from 'vitest';

import { replyPipe } from './stateless-messages.js';

function recorded(reply: (line: Buffer) => void = () => undefined) {
  const lines: string[] = [];
  const failures: unknown[] = [];
  const pipe = replyPipe(
    (line) => {
      lines.push(line.toString());
      reply(line);
    },
    (error) => failures.push(error),
  );
  return { pipe, lines, failures };
}

it('hands each line on without its newline, until it is closed', () => {
  const { pipe, lines } = recorded();
  pipe.send(Buffer.from('{"a":1}\n'));
  pipe.close();
  pipe.send(Buffer.from('{"a":2}\n'));
  expect(lines).toEqual(['{"a":1}']);
});

it('reports the first error of reply, throws nothing, and sends nothing more', () => {
  const { pipe, lines, failures } = recorded(() => {
    throw new Error('gone');
  });
  pipe.send(Buffer.from('1\n'));
  pipe.send(Buffer.from('2\n'));
  expect(lines).toEqual(['1']);
  expect(failures).toEqual([new Error('gone')]);
});
