import { access, constants, readdir, readFile } from 'node:fs/promises';
import { isAbsolute } from 'node:path';

import { describe, expect, it } from 'vitest';

import manifest from '../package.json' with { type: 'json' };
import * as index from './index.js';
import { FIXTURES, fixtureCommand, fixturePath, type FixtureName } from './index.js';

// the record is written as a literal, so its keys are the names
const names = Object.keys(FIXTURES).filter((name): name is FixtureName => name in FIXTURES);
const folder = new URL('fixtures/', import.meta.url);

it('exports these names and no others', () => {
  expect(Object.keys(index).toSorted()).toEqual(['FIXTURES', 'Lifeline', 'fixtureCommand', 'fixturePath']);
});

it('has a bin for each of the three published fixtures', () => {
  expect(manifest.bin).toEqual({
    'mcpmux-echo': './bin/echo.js',
    'mcpmux-echo-v2': './bin/echo-v2.js',
    'mcpmux-crash': './bin/crash.js',
  });
});

it.each(Object.values(manifest.bin))('has an executable %s that imports its program', async (bin) => {
  const file = new URL(`../${bin}`, import.meta.url);
  await access(file, constants.X_OK);
  const program = bin.replace('./bin/', '../dist/');
  await expect(readFile(file, 'utf8')).resolves.toBe(`#!/usr/bin/env node\nimport '${program}';\n`);
});

it('has no dependencies to install', () => {
  expect(manifest).not.toHaveProperty('dependencies');
});

it('describes every fixture and has a fixture for every description', async () => {
  const files = await readdir(folder);
  expect(files.map((file) => file.replace(/\.ts$/, '')).toSorted()).toEqual(names.toSorted());
});

describe.each(names)('%s', (name) => {
  it('has a built program at its path', async () => {
    expect(isAbsolute(fixturePath(name))).toBe(true);
    await expect(access(fixturePath(name), constants.R_OK)).resolves.toBeUndefined();
    expect(fixtureCommand(name).args).toEqual([fixturePath(name)]);
  });

  it('says its behaviour first and stays within 60 lines', async () => {
    const source = await readFile(new URL(`${name}.ts`, folder), 'utf8');
    expect(source).toMatch(/^\/\*\* .+ \*\/\n/);
    expect(source.split('\n').length).toBeLessThanOrEqual(61);
  });
});

// index.ts only passes names on, so no code of its own is left
it('loads the index without the SDK and without a fixture', async () => {
  const sources = await sourcesOf(new URL('../dist/index.js', import.meta.url));
  expect(sources.toSorted()).toEqual([
    '../src/fixture-list.ts',
    '../src/fixture-path.ts',
    '../src/lifeline.ts',
  ]);
});

/** The sources that make up a built program, its chunks included. */
async function sourcesOf(program: URL): Promise<string[]> {
  const code = await readFile(program, 'utf8');
  const { sources }: { sources: string[] } = JSON.parse(
    await readFile(new URL(`${program.href}.map`), 'utf8'),
  );
  const chunks = Array.from(code.matchAll(/["'](\.\/chunk-\w+\.js)["']/g), ([, chunk = '']) => chunk);
  const inherited = await Promise.all(chunks.map(async (chunk) => sourcesOf(new URL(chunk, program))));
  return [...sources, ...inherited.flat()];
}
