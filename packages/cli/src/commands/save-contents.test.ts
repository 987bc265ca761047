import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

import { afterEach, beforeEach, expect, it } from 'vitest';

import { saveContents } from './save-contents.js';

let folder = '';
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'mcpmux-save-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const data = Buffer.from('picture').toString('base64');

it('writes images, sounds and files beside each other, and replaces none', () => {
  const content = [
    { type: 'text', text: 'x' },
    { type: 'image', mimeType: 'image/png', data },
    { type: 'audio', mimeType: 'audio/mpeg', data },
    { type: 'resource', resource: { uri: 'a://b', mimeType: 'application/gzip', blob: data } },
    { type: 'resource', resource: { uri: 'a://c', text: 'not in a file' } },
  ];
  const names = saveContents({ content }, folder, 'draw').map((file) => basename(file));
  expect(names).toEqual(['draw-1.png', 'draw-1.mp3', 'draw-1.gzip']);
  expect(saveContents({ content }, folder, 'draw')).toContain(join(folder, 'draw-2.png'));
  expect(readFileSync(join(folder, 'draw-1.png'), 'utf8')).toBe('picture');
});

it.each(['../../x', 'image/../../../x', 'image/\u0000', '', 7])(
  'writes into that folder alone, whatever type a server gives: %j',
  (mimeType) => {
    const [file = ''] = saveContents({ content: [{ type: 'image', mimeType, data }] }, folder, '../up/x');
    expect(readdirSync(folder)).toEqual([basename(file)]);
  },
);

it('leaves no part of a file that cannot be written as a whole, as on a full disk', () => {
  const full = (descriptor: number, contents: string | Buffer): never => {
    writeFileSync(descriptor, contents.slice(0, 3));
    throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
  };
  const content = [{ type: 'image', mimeType: 'image/png', data }];
  expect(() => saveContents({ content }, folder, 'draw', full)).toThrow('no space left');
  expect(readdirSync(folder)).toEqual([]);
});

it('shows no file under its name before all of the file is written', () => {
  const content = [{ type: 'image', mimeType: 'image/png', data }];
  const seen: string[] = [];
  const watched = (descriptor: number, contents: string | Buffer): void => {
    writeFileSync(descriptor, contents);
    seen.push(...readdirSync(folder));
  };
  saveContents({ content }, folder, 'draw', watched);
  expect(seen).toEqual([expect.stringMatching(/^draw-[0-9a-f]{12}\.tmp$/)]);
  expect(readdirSync(folder)).toEqual(['draw-1.png']);
});

it('finds nothing to write in a result without contents', () => {
  expect([saveContents({}, folder, 't'), saveContents({ content: 7 }, folder, 't')]).toEqual([[], []]);
});
