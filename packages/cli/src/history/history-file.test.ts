import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { propertyRuns } from '@mcpmux/testing/property-runs';
import { temporaryFolder } from '@mcpmux/testing/temporary-folder';
import fc from 'fast-check';
import { expect, it } from 'vitest';

import { HistoryFile } from './history-file.js';
import { isCall } from './stored-call.js';

const MEGABYTE = 1024 * 1024;

function historyIn(home: string): HistoryFile {
  return new HistoryFile({ home, platform: 'linux', environment: {} });
}

function line(tool: string): string {
  return JSON.stringify({
    time: '2026-11-30T12:00:00.000Z',
    server: 's',
    tool,
    ms: 1,
    ending: 'result',
    pid: 1,
  });
}

function toolsOf(file: HistoryFile, tail?: number): readonly string[] {
  return file.read(tail).map((one) => (isCall(one) ? one.tool : 'missed'));
}

it('a missing file has no lines, and one process reads what several have appended', async () => {
  await using folder = await temporaryFolder();
  const file = historyIn(folder.path);
  expect(file.read()).toEqual([]);
  const writers = Array.from({ length: 10 }, (_, index) => `tool ${index}`);
  await Promise.all(writers.map((tool) => historyIn(folder.path).append([line(tool)], MEGABYTE)));
  file.appendNow([line('last')]);
  expect(toolsOf(file).toSorted()).toEqual(['last', ...writers].toSorted());
});

it('the history has a bound: its newer half remains, and no process moves the half of another', async () => {
  await using folder = await temporaryFolder();
  const file = historyIn(folder.path);
  const batch = (from: number): readonly string[] =>
    Array.from({ length: 100 }, (_, index) => line(`${from + index}`));
  const bytes = batch(1000).join('\n').length;
  const maxBytes = 4 * bytes;
  for (let from = 1000; from < 3000; from += 200)
    await Promise.all([from, from + 100].map((at) => historyIn(folder.path).append(batch(at), maxBytes)));
  const tools = toolsOf(file);
  expect(tools.length).toBeGreaterThanOrEqual(300);
  const sizes = ['history.ndjson', 'history.1.ndjson'].map(
    (name) => statSync(join(dirname(file.path), name)).size,
  );
  // A process appends the lines of one second at most.
  for (const size of sizes) expect(size).toBeLessThanOrEqual(maxBytes / 2 + 3 * bytes);
  expect([...new Set(tools)].toSorted()).toEqual(tools.toSorted());
  expect(tools.at(-1)).toMatch(/^2/);
});

it('a reader of the end gets the last lines', async () => {
  await using folder = await temporaryFolder();
  const file = historyIn(folder.path);
  await file.append(['a', 'b', 'c'].map(line), MEGABYTE);
  expect(toolsOf(file, line('c').length + 5)).toEqual(['c']);
});

it('a crash amid a write costs the line that it has cut, and no other', async () => {
  const text = fc.string({ unit: 'binary' });
  await fc.assert(
    fc.asyncProperty(fc.array(text, { minLength: 1 }), fc.nat(), text, async (tools, cut, later) => {
      await using folder = await temporaryFolder();
      const file = historyIn(folder.path);
      const bytes = Buffer.from(tools.map((tool) => `\n${line(tool)}`).join(''));
      const written = bytes.subarray(0, cut % (bytes.length + 1));
      mkdirSync(dirname(file.path), { recursive: true });
      writeFileSync(file.path, written);
      await file.append([line(later)], MEGABYTE);
      const found = toolsOf(file);
      const whole = found.slice(0, -1);
      expect(found.at(-1)).toBe(JSON.parse(line(later)).tool);
      expect(whole).toEqual(tools.slice(0, whole.length).map((tool) => JSON.parse(line(tool)).tool));
      const lines = written.toString().split('\n').length - 1;
      expect(lines - whole.length).toBeLessThanOrEqual(1);
    }),
    propertyRuns(20),
  );
});
