import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { expect, it } from 'vitest';

import { CLI } from './testing/built-cli.js';

const PACKAGE = dirname(dirname(CLI));
const PAGE = join(PACKAGE, '..', '..', 'docs', 'troubleshooting.md');
/** A value that mcpmux inserts: the page writes it as an example, or as `…`. */
const INSERTED = /…|\d+|initialize|\(ECONNREFUSED\)/;

/** The texts in code of the first column of the tables of symptoms. */
async function symptoms(): Promise<readonly string[]> {
  const page = await readFile(PAGE, 'utf8');
  const cells = [...page.matchAll(/^\| (?<cell>[^|]*`[^|]*) \|/gm)].map(
    ({ groups }) => groups?.['cell'] ?? '',
  );
  // Texts of npm are not texts of mcpmux.
  const own = cells.filter((cell) => !cell.startsWith('npm') && !cell.includes('prints'));
  return own.flatMap((cell) =>
    [...cell.matchAll(/`(?<text>[^`]+)`/g)].map(({ groups }) => groups?.['text'] ?? ''),
  );
}

async function textsOfCommand(): Promise<string> {
  const folder = join(PACKAGE, 'dist');
  const files = (await readdir(folder)).filter((name) => name.endsWith('.cjs'));
  return (await Promise.all(files.map((name) => readFile(join(folder, name), 'utf8')))).join('\n');
}

it('each symptom that the troubleshooting page quotes is a text of the command', async () => {
  const all = await symptoms();
  expect(all.length).toBeGreaterThan(8);
  const texts = (await textsOfCommand()).toLowerCase();
  const missing = all.filter((symptom) =>
    symptom
      .toLowerCase()
      .split(new RegExp(INSERTED, 'i'))
      .some((part) => !texts.includes(part.trim())),
  );
  expect(missing).toEqual([]);
});
