#!/usr/bin/env node
// Measures the house: rooms of core and the imports between them, sizes of packages, files and bags of dependencies.
// Each figure has a bound, which only goes down. A feature adds its own lines to the bound of lines (features.json).
//
// usage: node tools/house.mjs [--check]     (--check exits with 1 when a figure is above its bound)
import { posix } from 'node:path';
import process from 'node:process';

import { grownBy } from './packages/features.mjs';
import { singleImplementations } from './packages/implementations.mjs';
import { packageSources } from './packages/sources.mjs';

/** The rooms of core from the left: a room imports itself and the rooms before it. */
const ROOMS = ['process', 'server', 'catalog', 'guards', 'client', 'tools', 'mux'];
const LONG_FILE = 250;
const IMPORT = /\b(?:from|import)\s*\(?\s*'(\.[^']*)'/g;

const packages = packageSources();
const published = packages.filter(({ name }) => !['testing', 'test-servers'].includes(name));
const core = packages.find(({ name }) => name === 'core').files;
const arrows = arrowsOf(core);
const all = published.flatMap(({ files }) => [...files.values()]);

const figures = [
  ['rooms of core', new Set([...core.keys()].map(roomOf).filter((room) => room !== '.')).size, 7],
  ['arrows between rooms of core', arrows.length, 17],
  ['arrows against the order', arrows.filter(([from, to]) => rank(from) < rank(to)).length, 0],
  ['files of the largest package', Math.max(...published.map(({ files }) => files.size)), 337],
  [
    'source lines without test servers',
    all.reduce((sum, text) => sum + linesOf(text), 0),
    74_000 + grownBy('lines'),
  ],
  [`files over ${LONG_FILE} lines`, all.filter((text) => linesOf(text) > LONG_FILE).length, 0],
  [
    'interfaces for dependencies',
    all.reduce((sum, text) => sum + count(text, /\/\*\* The dependencies of/g), 0),
    40,
  ],
  ['interfaces of a single class', singleImplementations(all).length, 25],
];

for (const [name, value, bound] of figures)
  process.stdout.write(`${name.padEnd(36)}${String(value).padStart(8)}   at most ${bound}\n`);
const above = figures.filter(([, value, bound]) => value > bound);
if (process.argv.includes('--check') && above.length > 0) {
  process.stderr.write(`above the bound: ${above.map(([name]) => name).join(', ')}\n`);
  process.exitCode = 1;
}

/** The pairs of rooms of which the first imports from the second. */
function arrowsOf(files) {
  const pairs = [...files].flatMap(([path, text]) =>
    [...text.matchAll(IMPORT)].map(([, to]) => [roomOf(path), roomOf(posix.join(posix.dirname(path), to))]),
  );
  const between = pairs.filter(([from, to]) => from !== to && from !== '.' && to !== '.');
  return [...new Set(between.map((pair) => pair.join(' ')))].map((pair) => pair.split(' '));
}

function roomOf(path) {
  return path.includes('/') ? path.split('/', 1)[0] : '.';
}

function rank(room) {
  return ROOMS.indexOf(room);
}

function linesOf(text) {
  return text.split('\n').length - 1;
}

function count(text, pattern) {
  return [...text.matchAll(pattern)].length;
}
