import { expect, it } from 'vitest';

import { ran } from '../testing/captured-output.js';
import { VERSION } from '../base/version.js';

it.each([[['--log-levle', 'info']], [['serve', '--log-levle', 'info']]])(
  'answers the unknown flag in %j with exit code 2 and the flag that was meant',
  async (args) => {
    const { code, stdout, stderr } = await ran(...args);
    expect(code).toBe(2);
    expect(stderr).toContain(`unknown option '--log-levle'`);
    expect(stderr).toContain('Did you mean --log-level?');
    expect(stdout).toBe('');
  },
);

it.each([
  ['an unknown command', ['sevre']],
  ['an argument too many', ['serve', 'now']],
  ['an unknown level', ['--log-level', 'loud']],
  ['an unknown format', ['--log-format', 'xml']],
  ['a flag without its value', ['--log-level']],
  ['a time that is no number', ['--start-timeout', 'soon']],
  ['a time of zero', ['--start-timeout', '0']],
  ['a name budget of a few characters', ['--name-budget', '15']],
  ['a name budget that is no whole number', ['serve', '--name-budget', '50.5']],
  ['a config without a path', ['--config']],
  ['an unknown command of config', ['config', 'pth']],
  ['an argument too many of config', ['config', 'schema', 'now']],
  ['a policy that nobody knows', ['--add-policy', 'maybe']],
  ['a mode of pins that nobody knows', ['--pin-tools', 'on']],
  ['a list of commands that has no effect', ['serve', '--allow-command', 'npx']],
  ['an allowed command without a program', ['--add-policy', 'ask', '--allow-command', 'TOKEN=']],
  ['an endless time', ['--start-timeout', 'Infinity']],
])('answers %s with exit code 2 and a reason', async (_, args) => {
  const { code, stdout, stderr } = await ran(...args);
  expect(code).toBe(2);
  expect(stderr).toContain('error:');
  expect(stdout).toBe('');
});

it.each([
  ['serv', 'serve'],
  ['sreve', 'serve'],
  ['confg', 'config'],
])('answers the unknown command %s with the one that was meant', async (command, meant) => {
  const { code, stderr } = await ran(command);
  expect(code).toBe(2);
  expect(stderr).toContain(`unknown command '${command}'`);
  expect(stderr).toContain(`Did you mean ${meant}?`);
});

it('lists every flag and every exit code in its help', async () => {
  const { code, stdout } = await ran('--help');
  expect(code).toBe(0);
  for (const flag of [
    '--log-level',
    '--log-format',
    '--start-timeout',
    '--config',
    '--no-config',
    '--project-config',
    '--name-budget',
    '--add-policy',
    '--allow-command',
    '--pin-tools',
    '--protocol',
    '--wait-for-servers',
    '--no-wait-for-servers',
    '--version',
  ])
    expect(stdout).toContain(flag);
  const [, exitCodes = ''] = stdout.split('Exit codes:\n');
  expect(exitCodes.match(/\d+(?= )/g)).toEqual([
    '0',
    '1',
    '2',
    '4',
    '5',
    '6',
    '7',
    '70',
    '130',
    '143',
    '129',
    '128',
  ]);
});

it.each([
  ['serve', '--config', 'a', '--catalog', 'b'],
  ['--catalog', 'b', '--config', 'a'],
  ['serve', '--no-config', '--catalog', 'b'],
  ['list', '--config', 'a', '--catalog', 'b'],
])('refuses %s %s …: only one file is the config', async (...words) => {
  const { code, stderr } = await ran(...words);
  expect(code).toBe(2);
  expect(stderr).toContain("option '--catalog <file>' cannot be used with option");
});

it('says its version', async () => {
  const { code, stdout } = await ran('--version');
  expect(code).toBe(0);
  expect(stdout).toBe(`${VERSION}\n`);
});
