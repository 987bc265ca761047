import { describe, expect, it } from 'vitest';

import { SplicedLine } from './splice.js';
import { Staging } from './staging.js';

const KIB = 1024;

function bytesOf(staging: Staging): string {
  return Buffer.concat(staging.pieces()).toString();
}

describe('Staging', () => {
  it('puts small lines side by side: one piece, however they come', () => {
    const staging = new Staging();
    staging.add(Buffer.from('a\n'));
    staging.add(new SplicedLine(Buffer.from('[1]'), [{ span: { start: 1, end: 2 }, bytes: '22' }]));
    expect([staging.length, staging.pieces().length, bytesOf(staging)]).toEqual([7, 1, 'a\n[22]\n']);
  });

  it('leaves large lines as they are, in the order of all', () => {
    const staging = new Staging();
    const large = Buffer.alloc(5 * KIB, 'L');
    for (const line of [Buffer.from('a\n'), large, Buffer.from('b\n'), Buffer.from('c\n')]) staging.add(line);
    expect(staging.pieces().map(({ length }) => length)).toEqual([2, 5 * KIB, 4]);
    expect(staging.pieces()[1]).toBe(large);
    expect(bytesOf(staging)).toBe(`a\n${large.toString()}b\nc\n`);
  });

  it('holds any number of small lines, and lines that an edit has made large', () => {
    const staging = new Staging();
    const lines = Array.from({ length: 100 }, (_, index) => `${index}${'x'.repeat(1000)}\n`);
    for (const line of lines) staging.add(Buffer.from(line));
    const long = 'y'.repeat(40 * KIB);
    staging.add(new SplicedLine(Buffer.from('[]'), [{ span: { start: 1, end: 1 }, bytes: long }]));
    expect(bytesOf(staging)).toBe(`${lines.join('')}[${long}]\n`);
    expect(staging.length).toBe(Buffer.byteLength(bytesOf(staging)));
  });

  it('uses its memory again when all was sent', () => {
    const staging = new Staging();
    staging.add(Buffer.from('a\n'));
    const [first] = staging.pieces();
    staging.clear(true);
    staging.add(Buffer.from('b\n'));
    expect([staging.length, staging.pieces()[0]?.buffer === first?.buffer]).toEqual([2, true]);
  });

  it('leaves its memory to what was not sent', () => {
    const staging = new Staging();
    staging.add(Buffer.from('a\n'));
    const [first] = staging.pieces();
    staging.clear(false);
    staging.add(Buffer.from('b\n'));
    expect([first?.toString(), bytesOf(staging)]).toEqual(['a\n', 'b\n']);
  });
});
