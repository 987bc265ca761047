import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

import { expect, it } from 'vitest';

import { normalizeValue, type InputRules } from './input-value.js';

it.each<[string, InputRules, string, string]>([
  ['a text', {}, ' as it is ', ' as it is '],
  ['a choice', { choices: ['read', 'write'] }, 'write', 'write'],
  ['a number', { format: 'number' }, ' 8.5 ', '8.5'],
  ['a boolean in words', { format: 'boolean' }, 'Yes', 'true'],
  ['a boolean', { format: 'boolean' }, 'false', 'false'],
  ['an absolute path', { format: 'filepath' }, '/notes', '/notes'],
  ['a path in the home folder', { format: 'filepath' }, '~/notes', join(homedir(), 'notes')],
  ['a path in the folder of the command', { format: 'filepath' }, 'notes', resolve('/folder/notes')],
  ['several values', { isRepeated: true, format: 'number' }, '1\n\n 2 ', '1\n2'],
  ['a reference', { format: 'number', choices: ['1'] }, '${PORT}', '${PORT}'],
])('%s is given to the server', (_, rules, typed, value) => {
  expect(normalizeValue('ID', rules, typed, '/folder')).toBe(value);
});

it.each<[InputRules, string, string]>([
  [{ choices: ['read', 'write'] }, 'delete', 'ID is one of read, write, not "delete".'],
  [{ format: 'number' }, 'many', 'ID is a number, not "many".'],
  [{ format: 'number' }, ' ', 'ID is a number, not " ".'],
  [{ format: 'boolean' }, 'perhaps', 'ID is true or false, not "perhaps".'],
  [{ format: 'filepath' }, 'notes', 'Give the whole path'],
  [{ isRepeated: true, format: 'number' }, '1\ntwo', 'ID is a number, not "two".'],
])('%j takes no %j', (rules, typed, problem) => {
  expect(() => normalizeValue('ID', rules, typed)).toThrow(problem);
});
