import process from 'node:process';

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { runProgram } from '../program.js';
import { COMMAND_NAMES } from './command-names.js';
import { commands } from './command-tree.js';

let stderr = '';
let stdout = '';

beforeEach(() => {
  stderr = '';
  stdout = '';
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => (stderr += String(text)).length > 0);
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => (stdout += String(text)).length > 0);
});

afterEach(() => vi.restoreAllMocks());

const ALL = commands(() => undefined).map((command) => ({
  name: command.name(),
  needed: command.registeredArguments.filter(({ required }) => required).map(() => 'x'),
  isVariadic: command.registeredArguments.some(({ variadic }) => variadic),
  argument: command.registeredArguments.length,
}));

it('every command is known by its name before its code is loaded', () => {
  const known = commands(() => undefined).flatMap((command) => [command.name()].concat(command.aliases()));
  const others = ['complete', 'completion', 'help'];
  expect([...COMMAND_NAMES].toSorted()).toEqual([...known, ...others].toSorted());
});

describe.each(ALL)('mcpmux $name', ({ name, needed }) => {
  it('answers a wrong flag with the one that was meant, how to get help, and 2', async () => {
    await expect(runProgram([name, ...needed, '--quiett'])).resolves.toBe(2);
    expect(stderr).toContain(`unknown option '--quiett'`);
    expect(stderr).toContain('Did you mean --quiet?');
    expect(stderr).toContain(`mcpmux ${name} --help`);
    expect(stdout).toBe('');
  });

  it('with --json in one line of JSON', async () => {
    await expect(runProgram([name, ...needed, '--json', '--quiett'])).resolves.toBe(2);
    const { error } = JSON.parse(stderr) as {
      readonly error: { readonly code: string; readonly message: string };
    };
    expect(error.code).toBe('USAGE');
    expect(error.message).toContain('--quiett');
    expect(stdout).toBe('');
  });

  it('has a help that says what it does', async () => {
    await expect(runProgram([name, '--help'])).resolves.toBe(0);
    expect(stdout).toContain(`Usage: mcpmux ${name}`);
    expect(stdout).toContain('--json');
    expect(stderr).toBe('');
  });
});

it.each(ALL.filter(({ isVariadic }) => !isVariadic))(
  'mcpmux $name answers a word too many with 2',
  async (command) => {
    const words = Array.from({ length: command.argument + 1 }, () => 'x');
    await expect(runProgram([command.name, ...words])).resolves.toBe(2);
    expect(stderr).toContain('too many arguments');
  },
);

it.each(ALL.filter(({ needed }) => needed.length > 0))(
  'mcpmux $name answers a missing word with its name and 2',
  async ({ name }) => {
    await expect(runProgram([name])).resolves.toBe(2);
    expect(stderr).toContain('missing required argument');
  },
);

it.each([
  ['lst', 'list'],
  ['docter', 'doctor'],
  ['unistall', 'uninstall'],
])('the unknown command %s is answered with %s', async (command, meant) => {
  await expect(runProgram([command])).resolves.toBe(2);
  expect(stderr).toContain(`Did you mean ${meant}?`);
});

it('a command for a server without -- before it is answered with where that goes', async () => {
  await expect(runProgram(['add', 'x', 'npx', '-y', 'package'])).resolves.toBe(2);
  expect(stderr).toContain('put -- before the command');
});
