import { describe, expect, it } from 'vitest';

import { isProtocolLogLevel, lowestLevel, passesThreshold } from './log-level.js';

describe('a level', () => {
  it.each([
    ['error', 'warning', true],
    ['error', 'error', true],
    ['error', 'critical', false],
    ['debug', undefined, true],
    ['odd', 'emergency', true],
    [undefined, 'emergency', true],
  ] as const)('S4: %s passes for a client that asked for %s: %s', (level, threshold, isReported) => {
    expect(passesThreshold(level, threshold)).toBe(isReported);
  });

  it.each([
    ['debug', true],
    ['emergency', true],
    ['Debug', false],
    ['warn', false],
    ['', false],
    [undefined, false],
  ])('S4: is one of the specification, spelled so: %s', (text, isOne) => {
    expect(isProtocolLogLevel(text)).toBe(isOne);
  });
});

describe('what servers are asked for', () => {
  it.each([
    [[], undefined],
    [[undefined], undefined],
    [['alert', 'notice', 'error'], 'notice'],
    [['alert', undefined], 'debug'],
  ] as const)('S4: is enough for clients that want %j: %s', (asked, level) => {
    expect(lowestLevel(asked)).toBe(level);
  });
});
