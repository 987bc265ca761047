import { describe, expect, it } from 'vitest';

import { EraVerdicts } from './era-verdicts.js';

const DAY_MS = 24 * 60 * 60 * 1000;

describe('what was found out about the era of a server', () => {
  it('is known by command, arguments and working folder', () => {
    const verdicts = new EraVerdicts();
    verdicts.record({ command: 'a', args: ['b'], cwd: '/c' }, 'modern');
    expect(verdicts.eraOf({ command: 'a', args: ['b'], cwd: '/c', env: { X: 'y' } })).toBe('modern');
    expect(verdicts.eraOf({ command: 'a', args: ['b'] })).toBeUndefined();
    expect(verdicts.eraOf({ command: 'a', args: ['x'], cwd: '/c' })).toBeUndefined();
  });

  it('is known of a url', () => {
    const verdicts = new EraVerdicts();
    verdicts.record({ url: 'https://a.example/' }, 'legacy');
    expect(verdicts.eraOf({ url: 'https://a.example/' })).toBe('legacy');
  });

  it('counts for a week, from mux to mux', () => {
    let now = 0;
    const verdicts = new EraVerdicts(() => now);
    const config = { command: 'a' };
    verdicts.record(config, 'legacy');
    const later = new EraVerdicts(() => now);
    const verdict = verdicts.getVerdict(config);
    if (verdict !== undefined) later.restore(config, verdict);
    now = 7 * DAY_MS - 1;
    expect(later.eraOf(config)).toBe('legacy');
    now += 1;
    expect(later.eraOf(config)).toBeUndefined();
  });
});
