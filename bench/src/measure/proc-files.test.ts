import { describe, expect, it } from 'vitest';

import { cpuTicks, machineTicks, residentBytes } from './proc-files.js';

function stat(name: string): string {
  return `4242 (${name}) S 1 4242 4242 0 -1 4194304 2610 0 3 0 117 25 7 8 20 0 11 0 123456 1094000000 11000 18446744073709551615\n`;
}

const STATUS = `Name:\tnode
VmPeak:\t 1090000 kB
VmHWM:\t   52004 kB
VmRSS:\t   44040 kB
RssAnon:\t   12000 kB
`;

describe('cpuTicks', () => {
  it('adds user and system time of the process, not those of its children', () => {
    expect(cpuTicks(stat('node'))).toBe(142);
  });

  it.each(['a b', 'a) R 9 9 9', '((', ') S 1 2'])('is not misled by the program name %j', (name) => {
    expect(cpuTicks(stat(name))).toBe(142);
  });

  it.each(['', '1 (node) S', 'nonsense'])('refuses %j', (text) => {
    expect(() => cpuTicks(text)).toThrow('not a stat file');
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

describe('machineTicks', () => {
  it('adds all ticks but those of guests, which are among the others', () => {
    const text = 'cpu  100 20 30 400 5 6 7 80 900 900\ncpu0 1 2 3 4 5 6 7 8 9 9\n';
    expect(machineTicks(text)).toEqual({ total: 648, stolen: 80 });
  });

  it.each(['', 'cpu0 1 2 3 4 5 6 7 8\n', 'cpu  1 2 3\n', 'cpu  a b c d e f g h\n'])('refuses %j', (text) => {
    expect(() => machineTicks(text)).toThrow('not the stat file of a machine');
  });
});
