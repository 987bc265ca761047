import process from 'node:process';

import { describe, expect, it } from 'vitest';

import { isWine8, missingWindows, windowsMachines, type Played } from './testing/windows-machine.js';

/** The situations that fail for a reason that is Wine's. On Windows they are expected to pass. */
const OF_WINE: Readonly<Record<string, string>> = {
  'a .cmd whose arguments have `%`':
    'cmd.exe of Wine expands the arguments of a batch file once more, where the file has `%*`',
  'secrets: the Credential Manager keeps one, and a server gets it':
    'Wine 8 has no bcryptprimitives.dll, which the library of the keyring needs',
};
const LIMIT_MS = 900_000;

const missing = missingWindows();
if (missing !== undefined)
  // oxlint-disable-next-line no-console -- the reason why tests are skipped
  console.warn(`skipped: no situation on Windows is played, because ${missing}`);

const machines = await windowsMachines();
const tables = new Map<string, readonly Played[]>();

describe.each(machines)('on Windows, with Node.js $version', (machine) => {
  it('mcpmux does what the titles of the situations say', { timeout: LIMIT_MS }, async () => {
    const all = await machine.play();
    tables.set(machine.version, all);
    const failed = all.filter(({ problem }) => problem !== undefined);
    const isExpected = (title: string): boolean => process.platform !== 'win32' && title in OF_WINE;
    expect(failed.filter(({ title }) => !isExpected(title))).toEqual([]);
    expect(all.length).toBeGreaterThan(25);
  });
});

// repaired by a run with -u, which writes the file
it('docs/internals/windows.json says what was played under Wine', async ({ skip }) => {
  skip(!isWine8() || tables.size < 2, 'the table has two Node.js under Wine 8');
  const [first = []] = tables.values();
  const rows = first.map(({ title }) =>
    [title].concat(Array.from(tables.values(), (all) => outcomeOf(title, all))),
  );
  const lines = rows.map((row) => `  ${JSON.stringify(row)}`).join(',\n');
  const text = `{\n "nodes": ${JSON.stringify([...tables.keys()])},\n "rows": [\n${lines}\n ]\n}\n`;
  await expect(text).toMatchFileSnapshot('../../docs/internals/windows.json');
});

function outcomeOf(title: string, all: readonly Played[]): string {
  const { problem } = all.find((played) => played.title === title) ?? { problem: 'not played' };
  return problem === undefined ? 'ok' : `fails under Wine: ${OF_WINE[title] ?? 'unknown'}`;
}
