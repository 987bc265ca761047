import { expect, it } from 'vitest';

import { COMMAND_NAMES } from '../commands/command-names.js';
import { ran } from '../testing/captured-output.js';
import { VERSION } from '../base/version.js';

/** Aliases, and the command that completion scripts call. */
const HIDDEN: ReadonlySet<string> = new Set(['complete', 'ls', 'rm', 'reload-config']);

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
  expect(stderr).toMatch(/^mcpmux: .*\n/);
  expect(stderr.match(/^Next: /gm)).toHaveLength(1);
  expect(stdout).toBe('');
});

it.each(['update', 'self-update'])('answers %s with the way to upgrade', async (command) => {
  expect((await ran(command)).stderr).toContain('To upgrade: npx @mcpmux/cli@latest install CLIENT');
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

it('shows all commands in groups, at 80 columns, and no option of serve', async () => {
  const { code, stdout } = await ran('--help');
  expect(code).toBe(0);
  for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  const headings = [
    'Start here:',
    'Servers:',
    'Use them here:',
    'Clients:',
    'Running:',
    'Config and shell:',
    'Examples:',
  ];
  const places = headings.map((heading) => stdout.indexOf(heading));
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(places).not.toContain(-1);
  expect(stdout).not.toContain('\nCommands:');
  expect(stdout).not.toContain('--http');
  for (const name of COMMAND_NAMES.filter((known) => !HIDDEN.has(known)))
    expect(stdout).toMatch(new RegExp(`^  ${name}(?: |$)`, 'm'));
});

it('-v is the version', async () => {
  expect((await ran('-v')).stdout).toBe((await ran('--version')).stdout);
});

it.each([
  ['find', 'search'],
  ['dashboard', 'ui'],
  ['run', 'serve'],
])('answers the command %s of other programs with %s', async (command, meant) => {
  expect((await ran(command)).stderr).toContain(`Did you mean ${meant}?`);
});

it.each([
  ['status', 'mcpmux list'],
  ['restart', 'mcpmux reload NAME'],
  ['stop', 'mcpmux disable NAME'],
])(
  'without a shared mcpmux, the command %s names %s, which other programs call so',
  async (command, meant) => {
    expect((await ran(command)).stderr).toContain(meant);
  },
);

it('lists every flag and every exit code in the help of serve', async () => {
  const { code, stdout } = await ran('serve', '--help');
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
    '--http',
    '--allow-host',
    '--max-sessions',
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
