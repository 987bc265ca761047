import { describe, expect, it } from 'vitest';

import { megabytes, number, times } from './numbers.js';

describe('number', () => {
  it.each([
    [0, '0'],
    [0.07654, '0.0765'],
    [1.5, '1.5'],
    [12.345, '12.3'],
    [98_765, '98,800'],
    [1_234_567, '1,230,000'],
  ])('%d reads %s', (value, text) => {
    expect(number(value)).toBe(text);
  });

  it.each([null, Number.NaN])('%s reads as a dash', (value) => {
    expect(number(value)).toBe('–');
    expect(times(value)).toBe('–');
  });
});

describe('times', () => {
  it.each([
    [0.954, '0.95 ×'],
    [1, '1.00 ×'],
    [9.994, '9.99 ×'],
    [9.996, '10 ×'],
    [12.34, '12.3 ×'],
    [1234, '1,230 ×'],
  ])('%d reads %s', (value, text) => {
    expect(times(value)).toBe(text);
  });
});

describe('megabytes', () => {
  it('counts in millions of bytes', () => {
    expect(megabytes(52_428_800)).toBe('52.4 MB');
    expect(megabytes(null)).toBe('–');
  });
});
