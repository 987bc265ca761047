import { describe, expect, it } from 'vitest';

import { contextSwitches, machineTicks, proportionalBytes, residentBytes, runNanos } from './proc-files.js';

const STATUS = `Name:\tnode
VmPeak:\t 1090000 kB
VmHWM:\t   52004 kB
VmRSS:\t   44040 kB
RssAnon:\t   12000 kB
`;

describe('runNanos', () => {
  it('is the time on a processor, not the time that the thread waited for one', () => {
    expect(runNanos('237696346 33830690 163\n')).toBe(237_696_346);
    expect(runNanos('0 0 0\n')).toBe(0);
  });

  it.each(['', '\n', 'nonsense'])('refuses %j', (text) => {
    expect(() => runNanos(text)).toThrow('not a schedstat file');
  });
});

describe('residentBytes', () => {
  it('reads the memory of now and of the highest moment', () => {
    expect(residentBytes(STATUS, 'VmRSS')).toBe(44_040 * 1024);
    expect(residentBytes(STATUS, 'VmHWM')).toBe(52_004 * 1024);
  });

  it('refuses a status without it, such as that of a kernel thread', () => {
    expect(() => residentBytes('Name:\tkworker\nState:\tI (idle)\n', 'VmRSS')).toThrow('no VmRSS');
  });
});

describe('proportionalBytes', () => {
  it('is the share of a process in the pages that it maps', () => {
    expect(proportionalBytes('5583 [rollup]\nRss:   44040 kB\nPss:   12000 kB\nPss_Anon: 9000 kB\n')).toBe(
      12_000 * 1024,
    );
  });

  it('refuses a text without it', () => {
    expect(() => proportionalBytes('Rss: 1 kB\n')).toThrow('no ^Pss');
  });
});

describe('contextSwitches', () => {
  it('adds those that a thread wanted and those that it suffered', () => {
    expect(
      contextSwitches('Name:\tnode\nvoluntary_ctxt_switches:\t150\nnonvoluntary_ctxt_switches:\t7\n'),
    ).toBe(157);
  });

  it('refuses a text without them', () => {
    expect(() => contextSwitches('Name:\tnode\n')).toThrow('no ^voluntary');
  });
});

describe('machineTicks', () => {
  it('adds all ticks but those of guests, which are among the others', () => {
    const text = 'cpu  100 20 30 400 5 6 7 80 900 900\ncpu0 1 2 3 4 5 6 7 8 9 9\n';
    expect(machineTicks(text)).toEqual({ total: 648, stolen: 80 });
  });

  it.each(['', 'cpu0 1 2 3 4 5 6 7 8\n', 'cpu  1 2 3\n', 'cpu  a b c d e f g h\n'])('refuses %j', (text) => {
    expect(() => machineTicks(text)).toThrow('not the stat file of a machine');
  });
});
