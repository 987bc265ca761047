import fc from 'fast-check';
import { expect, it } from 'vitest';

import { parsePastedAnswer } from './pasted-answer.js';

const ANSWER = { code: 'c d', state: 's', iss: 'https://a.example' };
const QUERY = `?${new URLSearchParams(ANSWER).toString()}`;

it.each([`http://127.0.0.1:50000/callback${QUERY}`, `  http://localhost/x${QUERY}#end \n`, QUERY])(
  'the answer is read from %s',
  (text) => {
    expect(parsePastedAnswer(text)).toEqual(ANSWER);
  },
);

it.each([
  ['?error=access_denied', 'the login was refused (access_denied)'],
  ['http://127.0.0.1:1/callback?error=%3Cb%3E', 'the login was refused (without a reason)'],
  ['', 'the pasted text has no code'],
  ['http://127.0.0.1:1/callback', 'the pasted text has no code'],
  ['http://[', 'the pasted text has no code'],
])('%j is no answer', (text, message) => {
  expect(() => parsePastedAnswer(text)).toThrow(message);
});

it('every code and state come back, whatever is in them, and no text is repeated in an error', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (code, state) => {
      const query = new URLSearchParams({ code, state }).toString();
      expect(parsePastedAnswer(`http://127.0.0.1:5/callback?${query}`)).toEqual({
        code,
        state,
        iss: undefined,
      });
    }),
  );
  expect(() => parsePastedAnswer('s3cret')).toThrow(/^(?!.*s3cret)/);
});
