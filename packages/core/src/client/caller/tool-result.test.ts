import fc from 'fast-check';
import { expect, it } from 'vitest';

import { jsonValue } from '@mcpmux/testing/arbitrary-json';
import { errorResultJson, structuredResultJson } from './tool-result.js';

it('a result that tells the model what went wrong is text with isError', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(JSON.parse(errorResultJson(text))).toEqual({
        content: [{ type: 'text', text }],
        isError: true,
      });
    }),
  );
});

it('a structured result carries the same JSON as text, byte for byte', () => {
  fc.assert(
    fc.property(jsonValue, (json) => {
      const result = structuredResultJson(json);
      const { content }: { content: unknown } = JSON.parse(result);
      expect(content).toEqual([{ type: 'text', text: json }]);
      expect(result.endsWith(`"structuredContent":${json}}`)).toBe(true);
    }),
  );
});
