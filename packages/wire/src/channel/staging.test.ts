import { describe, expect, it } from 'vitest';

import { smallReadBuffer } from '../pipe/read-buffers.js';
import { SplicedLine } from '../splice/splice.js';
import { Staging } from './staging.js';

const KIB = 1024;
const MIB = 1024 * KIB;

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
    const large = Buffer.alloc(20 * KIB, 'L');
    for (const line of [Buffer.from('a\n'), large, Buffer.from('b\n'), Buffer.from('c\n')]) staging.add(line);
    expect(staging.pieces().map(({ length }) => length)).toEqual([2, 20 * KIB, 4]);
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

  it('uses its memory again', () => {
    const staging = new Staging();
    staging.add(Buffer.from('a\n'));
    const [first] = staging.pieces();
    staging.clear();
    staging.add(Buffer.from('b\n'));
    expect([staging.length, staging.pieces()[0]?.buffer === first?.buffer]).toEqual([2, true]);
  });

  it('gives what is left in memory of its own, whatever was sent', () => {
    const staging = new Staging();
    const large = Buffer.alloc(20 * KIB, 'L');
    const lines = [Buffer.from('first\n'), large, Buffer.from('last\n')];
    for (const line of lines) staging.add(line);
    const all = Buffer.concat(lines);
    const counts = Array.from({ length: all.length + 1 }, (_, count) => count).filter(
      // every place in the small lines, and at the ends of the large one
      (count) => count < 20 || count > all.length - 20 || count % 509 === 0,
    );
    const rests = counts.map((count) => staging.remainingPieces(count));
    staging.clear();
    staging.add(Buffer.alloc(100, '#'));
    for (const [index, rest] of rests.entries())
      expect(Buffer.concat(rest).equals(all.subarray(counts[index]))).toBe(true);
    expect(rests[0]?.[1]).toBe(large);
  });

  it('gives the rest of a borrowed line in memory of its own as well', () => {
    const staging = new Staging();
    const borrowed = smallReadBuffer()
      .subarray(0, 20 * KIB)
      .fill('L');
    staging.add(borrowed);
    expect(staging.pieces()[0]).toBe(borrowed);
    const rest = staging.remainingPieces(KIB);
    borrowed.fill('#');
    expect(Buffer.concat(rest).toString()).toBe('L'.repeat(19 * KIB));
  });

  it('keeps the memory of a turn with many lines, and has little for few', () => {
    const staging = new Staging();
    const line = Buffer.alloc(10 * KIB, 'x');
    staging.add(line);
    expect(staging.pieces()[0]?.buffer.byteLength).toBeLessThan(20 * KIB);
    for (let lines = 0; lines < 12; lines += 1) staging.add(line);
    staging.clear();
    for (let lines = 0; lines < 13; lines += 1) staging.add(line);
    expect(staging.pieces().map(({ length }) => length)).toEqual([13 * line.length]);
  });

  it('keeps no memory that one long line has made large', () => {
    const staging = new Staging();
    staging.add(new SplicedLine(Buffer.from('[]'), [{ span: { start: 1, end: 1 }, bytes: 'y'.repeat(MIB) }]));
    staging.clear();
    staging.add(Buffer.from('a\n'));
    expect(staging.pieces()[0]?.buffer.byteLength).toBeLessThan(MIB);
  });
});
