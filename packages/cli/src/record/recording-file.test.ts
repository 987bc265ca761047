import { mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, it } from 'vitest';

import { RecordingFile } from './recording-file.js';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcpmux-recording-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('an earlier recording stays, and the next free name is used', () => {
  const path = join(folder, 'bug.ndjson');
  writeFileSync(path, 'earlier');
  const recordings = [1, 2].map(() => RecordingFile.create(path, () => undefined));
  for (const recording of recordings) recording.write('line');
  for (const recording of recordings) recording.close();
  expect(recordings.map((one) => one.path)).toEqual(
    ['bug-2.ndjson', 'bug-3.ndjson'].map((name) => join(folder, name)),
  );
  expect(readFileSync(path, 'utf8')).toBe('earlier');
  expect(readFileSync(join(folder, 'bug-3.ndjson'), 'utf8')).toBe('line\n');
});

it('a failure to write ends the recording, is reported once, and is never thrown', () => {
  const failures: unknown[] = [];
  const path = join(folder, 'bug.ndjson');
  writeFileSync(path, '');
  const recording = new RecordingFile(path, openSync(path, 'r'), (error) => failures.push(error));
  recording.write('a');
  recording.write('b');
  recording.close();
  expect(failures).toHaveLength(1);
});
