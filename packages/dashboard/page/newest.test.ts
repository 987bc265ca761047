import { expect, it } from 'vitest';

import { Newest } from './newest.js';

it('answers that come in the order of their requests are taken', () => {
  const newest = new Newest();
  const [first, second] = [newest.ask(), newest.ask()];
  expect([first(), second()]).toEqual([true, true]);
});

it('an answer that comes after the answer to a later request is dropped', () => {
  const newest = new Newest();
  const [first, second, third] = [newest.ask(), newest.ask(), newest.ask()];
  expect([second(), first(), third()]).toEqual([true, false, true]);
});
