import { describe, expect, it } from 'vitest';

import { styleCode, terminalText } from './terminal-text.js';

describe('fault H5: text for a terminal', () => {
  it('keeps the codes of this process, as a terminal knows them', () => {
    expect(terminalText(`${styleCode(31)}red${styleCode(39)}`)).toBe('\u001B[31mred\u001B[39m');
  });

  it('shows every other code, also within the codes of this process', () => {
    const text = `${styleCode(1)}a\u001B[31m\u009B2J\u202E\u0007${styleCode(22)}\u001B[0m`;
    expect(terminalText(text)).toBe(
      String.raw`${'\u001B'}[1ma\u001b[31m\u009b2J\u202e\u0007${'\u001B'}[22m\u001b[0m`,
    );
  });

  it('keeps newlines and tabs', () => {
    expect(terminalText('a\n\tb')).toBe('a\n\tb');
  });
});
