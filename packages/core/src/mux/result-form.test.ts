import { contentBlocks, RESULT_FORMS, type ResultForm } from '@mcpmux/kit';
import { expect, it } from 'vitest';

import { callProblem } from './call-events.js';

/** A result of another form, in which each variant of the output has its own content. */
const RESULT = {
  isError: true,
  outputs: [
    { variant: 'full', content: [{ type: 'json', json: {} }] },
    { variant: 'short', content: [{ type: 'text', text: 'no such city' }] },
  ],
};

const inVariants: ResultForm = ({ outputs }) =>
  Array.isArray(outputs) ? outputs.flatMap(({ content }: { content: unknown[] }) => content) : undefined;

it('a result of another form is understood when the reader of content has that form', () => {
  const forms = [...RESULT_FORMS, inVariants];
  expect(contentBlocks(RESULT)).toEqual([]);
  expect(contentBlocks(RESULT, forms).map(({ type }) => type)).toEqual(['json', 'text']);
  const line = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 1, result: RESULT }));
  const result = { start: line.indexOf('{"isError"'), end: line.length - 1 };
  expect(callProblem(line, { result }, () => [], forms)).toBe('no such city');
  expect(callProblem(line, { result }, () => [])).toBe('');
});
