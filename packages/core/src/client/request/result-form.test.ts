import { expect, it, vi } from 'vitest';

import { contentBlocks, contentTexts } from '@mcpmux/kit';
import { callProblem } from './call-problem.js';

/** Another form of results, in which each variant of the output has its own content. */
const RESULT = {
  isError: true,
  outputs: [
    { variant: 'full', content: [{ type: 'json', json: {} }] },
    { variant: 'short', content: [{ type: 'text', text: 'no such city' }] },
  ],
};

vi.mock(import('@mcpmux/kit'), async (original) => {
  const kit = await original();
  const inForm = (result: unknown): unknown => {
    const { outputs }: { outputs?: readonly { readonly content: unknown[] }[] } = Object(result);
    return outputs === undefined ? result : { content: outputs.flatMap(({ content }) => content) };
  };
  return {
    ...kit,
    contentBlocks: (result) => kit.contentBlocks(inForm(result)),
    contentTexts: (result) => kit.contentTexts(inForm(result)),
  };
});

it('a result of another form is understood when the one reader of content understands it', () => {
  expect(contentBlocks(RESULT).map(({ type }) => type)).toEqual(['json', 'text']);
  expect(contentTexts(RESULT)).toEqual(['no such city']);
  const line = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 1, result: RESULT }));
  const result = { start: line.indexOf('{"isError"'), end: line.length - 1 };
  expect(callProblem(line, { result }, () => [])).toBe('no such city');
});
