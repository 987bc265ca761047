import {
  chmodSync,
  lutimesSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';

import { nullLogger } from '@mcpmux/core';
import { temporaryFolder } from '@mcpmux/testing/temporary-folder';
import { expect, it, vi } from 'vitest';

import { createResultFiles } from './result-files.js';

/** Above every process id. */
const DEAD = 2 ** 22 + 1;

it('writes each text to a file of its own, and deletes the files of a result', async () => {
  await using above = await temporaryFolder();
  const files = createResultFiles(nullLogger, above.path);
  const paths = await files.save('h', [Buffer.from('text'), Buffer.from('{"a":1}')]);
  expect(paths.map((path) => path.slice(path.lastIndexOf('h')))).toEqual(['h.txt', 'h-2.json']);
  expect(paths.map((path) => readFileSync(path, 'utf8'))).toEqual(['text', '{"a":1}']);
  files.remove('h');
  await vi.waitUntil(() => readdirSync(dirname(paths[0] ?? '')).length === 0);
});

it('answers without files where none can be written', async () => {
  await using above = await temporaryFolder();
  const logger = { enabled: () => true, log: vi.fn<() => void>() };
  const file = join(above.path, 'file');
  writeFileSync(file, '');
  expect(await createResultFiles(logger, file).save('h', [Buffer.from('text')])).toEqual([]);
  expect(logger.log).toHaveBeenCalledWith(
    'warn',
    'a long result cannot be written to a file',
    expect.anything(),
  );
});

it('deletes the folders that killed processes left more than a day ago, and no other', async () => {
  await using above = await temporaryFolder();
  const names = [
    `mcpmux-results-${DEAD}-old`,
    `mcpmux-results-${DEAD}-new`,
    `mcpmux-results-${process.pid}-x`,
  ];
  for (const name of names) mkdirSync(join(above.path, name), { mode: 0o700 });
  const old = new Date(Date.now() - 25 * 60 * 60 * 1000);
  for (const name of [names[0], names[2]]) utimesSync(join(above.path, name ?? ''), old, old);
  const [path = ''] = await createResultFiles(nullLogger, above.path).save('h', [Buffer.from('text')]);
  const left = [names[1], names[2], dirname(path).slice(above.path.length + 1)];
  expect(new Set(readdirSync(above.path))).toEqual(new Set(left));
  rmSync(dirname(path), { recursive: true });
});

it.skipIf(process.platform === 'win32')('deletes nothing that is no folder for this user alone', async () => {
  await using above = await temporaryFolder();
  const open = join(above.path, `mcpmux-results-${DEAD}-open`);
  const link = join(above.path, `mcpmux-results-${DEAD}-link`);
  mkdirSync(open);
  chmodSync(open, 0o755);
  symlinkSync(open, link);
  const old = new Date(Date.now() - 25 * 60 * 60 * 1000);
  utimesSync(open, old, old);
  lutimesSync(link, old, old);
  const [path = ''] = await createResultFiles(nullLogger, above.path).save('h', [Buffer.from('text')]);
  expect(readdirSync(above.path)).toHaveLength(3);
  rmSync(dirname(path), { recursive: true });
});
