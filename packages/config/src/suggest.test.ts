import { expect, it } from 'vitest';

import { suggest } from './suggest.js';

it.each([
  ['comand', ['args', 'command', 'cwd'], 'command'],
  ['Command', ['command'], 'command'],
  ['agrs', ['args', 'env'], 'args'],
  ['serv', ['config', 'serve'], 'serve'],
  ['lsit', ['init', 'list'], 'list'],
])('suggests for %j of %j: %j', (word, candidates, meant) => {
  expect(suggest(word, candidates)).toBe(meant);
});

it.each([
  ['color', ['command', 'args', 'cwd']],
  ['x', ['env', 'cwd']],
  ['', ['env']],
  ['anything', []],
])('suggests nothing for %j of %j', (word, candidates) => {
  expect(suggest(word, candidates)).toBeUndefined();
});
