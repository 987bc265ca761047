import { describe, expect, it } from 'vitest';

import { splice } from '@mcpmux/wire';
import { relatedTaskEdits } from './server-request-edits.js';

function returned(result: string): string {
  const line = Buffer.from(result);
  return splice(line, relatedTaskEdits(line, { start: 0, end: line.length }))
    .toString()
    .trimEnd();
}

const related = (id: string): string =>
  `{"n":1.0,"_meta":{"io.modelcontextprotocol/related-task":{"taskId":${id}}}}`;

describe("a client's result that belongs to a task", () => {
  it.each([
    ['"mux1:s:t"', '"t"'],
    ['"mux1:s:a:b"', '"a:b"'],
    ['"t"', '"t"'],
    ['5', '5'],
  ])('S8: gives the task back by the id that its server knows: %s', (known, local) => {
    expect(returned(related(known))).toBe(related(local));
  });

  it.each(['{}', '{"taskId":"mux1:s:t"}', '5', 'null'])(
    'S8: is else as the client wrote it: %s',
    (result) => {
      expect(returned(result)).toBe(result);
    },
  );
});
