import { describe, expect, it } from 'vitest';

import { ran } from '../testing/captured-output.js';
import { COMMAND_NAMES } from './command-names.js';
import { commandsExceptServe } from './command-tree.js';
import { allCommands } from './testing/all-commands.js';

const ALL = allCommands().map(({ name, command }) => ({
  name,
  words: name.split(' '),
  needed: command.registeredArguments.filter(({ required }) => required).map(() => 'x'),
  isVariadic: command.registeredArguments.some(({ variadic }) => variadic),
  argument: command.registeredArguments.length,
}));

it('every command is known by its name before its code is loaded', () => {
  const known = commandsExceptServe(() => undefined).flatMap((command) =>
    [command.name()].concat(command.aliases()),
  );
  const others = ['complete', 'completion', 'help'];
  expect([...COMMAND_NAMES].toSorted()).toEqual([...known, ...others].toSorted());
});

describe.each(ALL)('mcpmux $name', ({ name, words, needed }) => {
  it('answers a wrong flag with the one that was meant, how to get help, and 2', async () => {
    const { code, stdout, stderr } = await ran(...words, ...needed, '--quiett');
    expect(code).toBe(2);
    expect(stderr).toContain(`unknown option '--quiett'`);
    expect(stderr).toContain('Did you mean --quiet?');
    expect(stderr).toContain(`mcpmux ${name} --help`);
    expect(stdout).toBe('');
  });

  it('with --json in one line of JSON', async () => {
    const { code, stdout, stderr } = await ran(...words, ...needed, '--json', '--quiett');
    expect(code).toBe(2);
    const { error } = JSON.parse(stderr) as {
      readonly error: { readonly code: string; readonly message: string };
    };
    expect(error.code).toBe('USAGE');
    expect(error.message).toContain('--quiett');
    expect(stdout).toBe('');
  });

  it('has a help that says what it does', async () => {
    const { code, stdout, stderr } = await ran(...words, '--help');
    expect(code).toBe(0);
    expect(stdout).toContain(`Usage: mcpmux ${name}`);
    expect(stdout).toContain('--json');
    expect(stderr).toBe('');
  });
});

it.each(ALL.filter(({ isVariadic }) => !isVariadic))(
  'mcpmux $name answers a word too many with 2',
  async (command) => {
    const tooMany = Array.from({ length: command.argument + 1 }, () => 'x');
    const { code, stderr } = await ran(...command.words, ...tooMany);
    expect(code).toBe(2);
    expect(stderr).toContain('too many arguments');
  },
);

it.each(ALL.filter(({ needed }) => needed.length > 0))(
  'mcpmux $name answers a missing word with its name and 2',
  async ({ words }) => {
    const { code, stderr } = await ran(...words);
    expect(code).toBe(2);
    expect(stderr).toContain('missing required argument');
  },
);

it.each([
  ['lst', 'list'],
  ['docter', 'doctor'],
  ['unistall', 'uninstall'],
])('the unknown command %s is answered with %s', async (command, meant) => {
  const { code, stderr } = await ran(command);
  expect(code).toBe(2);
  expect(stderr).toContain(`Did you mean ${meant}?`);
});

it('a command for a server without -- before it is answered with where that goes', async () => {
  const { code, stderr } = await ran('add', 'x', 'npx', '-y', 'package');
  expect(code).toBe(2);
  expect(stderr).toContain('put -- before the command');
});
