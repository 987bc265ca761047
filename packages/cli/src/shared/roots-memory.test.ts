import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { temporaryFolder } from '@mcpmux/testing/temporary-folder';
import { expect, it } from 'vitest';

import { RootsMemory } from './roots-memory.js';

const FILES = { name: 'files', config: { command: 'files' } };

it('a server that has asked for roots is known to the next process, by its name and its command', async () => {
  await using folder = await temporaryFolder();
  const file = join(folder.path, 'roots.json');
  const first = new RootsMemory(file);
  expect(first.has(FILES)).toBe(false);
  first.add(FILES);
  const next = new RootsMemory(file);
  expect(next.has({ ...FILES, config: { command: 'files', args: ['--other'] } })).toBe(true);
  expect(next.has({ ...FILES, name: 'others' })).toBe(false);
  expect(next.has({ ...FILES, config: { command: 'other' } })).toBe(false);
  next.add({ name: 'far', config: { url: 'https://example.com/?key=s3cret' } });
  expect(readFileSync(file, 'utf8')).not.toContain('s3cret');
});

it('a file that holds anything else knows no server', async () => {
  await using folder = await temporaryFolder();
  const file = join(folder.path, 'roots.json');
  for (const text of ['', '{}', '[1]', '[']) {
    writeFileSync(file, text);
    expect(new RootsMemory(file).has(FILES)).toBe(false);
  }
});
