// The help of every command, as the built program prints it: the site shows it below docs/cli.md.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';

const SECTION = /^(?=\S.*:$)/m;
const COMMAND = /^ {2}([a-z][a-z-]*)(?: [<[]\S+)* {2,}\S/gm;
const HAS_COMMANDS = /^Usage: .*\[command\]$/m;
/** Sections of such a help whose lines name no commands. */
const OTHERS = /^(?:Options|Examples)\b/;

/** A page with one heading for each command, and for each command of a command. */
export function helpPage(root) {
  return ['## Help of every command', ...helpsOf(root, [])].join('\n\n').concat('\n');
}

function helpsOf(root, words) {
  const help = helpOf(root, words);
  const title = `### ${['mcpmux', ...words].join(' ')}`;
  return [
    [title, '', '```text', help, '```'].join('\n'),
    ...commandsIn(help).flatMap((command) => helpsOf(root, [...words, command])),
  ];
}

function helpOf(root, words) {
  const program = join(root, 'packages', 'cli', 'bin', 'mcpmux.cjs');
  const { status, stdout } = spawnSync(process.execPath, [program, ...words, '--help'], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOME: process.env.HOME, COLUMNS: '80' },
  });
  if (status !== 0) throw new Error(`mcpmux ${words.join(' ')} --help ended with ${status}`);
  return stdout.trimEnd();
}

function commandsIn(help) {
  if (!HAS_COMMANDS.test(help)) return [];
  return help
    .split(SECTION)
    .filter((section) => !OTHERS.test(section))
    .flatMap((section) => [...section.matchAll(COMMAND)].map(([, name]) => name))
    .filter((name) => name !== 'help');
}
