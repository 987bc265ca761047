import { expect, it } from 'vitest';

import { contentBlocks, contentTexts } from './tool-content.js';

it.each([
  [{ content: [{ type: 'text', text: 'a' }, 3, { type: 'image' }, { text: 'b' }] }, 3, ['a', 'b']],
  [{ content: { type: 'text', text: 'the block of a message' } }, 1, ['the block of a message']],
  [{ content: 'text' }, 0, []],
  [{ structuredContent: {} }, 0, []],
  [undefined, 0, []],
])('the content of %j is read, and what is no MCP has none', (result, blocks, texts) => {
  expect(contentBlocks(result)).toHaveLength(blocks);
  expect(contentTexts(result)).toEqual(texts);
});
