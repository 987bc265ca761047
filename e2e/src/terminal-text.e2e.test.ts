import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { CLI, NODE } from './testing/built-cli.js';
import { ACTING, hostileTexts } from './testing/hostile-texts.js';
import { Person } from './testing/person.js';
import { RawCli } from './testing/raw-cli.js';
import { hasTerminals, Terminal } from './testing/terminal.js';

const TEXTS = hostileTexts(200);
const ALL = TEXTS.join(' ');
const SERVER = fileURLToPath(new URL('./testing/hostile-server.mjs', import.meta.url));
const DRIVER = fileURLToPath(new URL('./testing/drive-serve.mjs', import.meta.url));
/** On the command line there is no NUL. */
const WORD = ALL.replaceAll('\u0000', '').slice(0, 600);
/** The control socket of a mcpmux that runs takes no long command. */
const SHORT = 'na\u001B]0;t\u0007\u009B2J\u202E\u2028me';
const HOSTILE_NAME = `na${WORD.slice(0, 60)}me`;

let person: Person;
let running: RawCli;

/** What a person sees of a program that nobody answers, on a terminal for all three streams. */
async function screenOf(
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  await using terminal = new Terminal(words, {
    cwd: person.home,
    env: { ...person.environment, CI: '1', NO_COLOR: '1', ...env },
    columns: 300,
  });
  await terminal.end();
  return terminal.screen.replaceAll('\r\n', '\n');
}

/** The place where something acts on the terminal; empty if nothing does. */
function actingPart(screen: string): string {
  const at = screen.search(ACTING);
  return at === -1 ? '' : JSON.stringify(screen.slice(Math.max(0, at - 60), at + 20));
}

function serverOf(how: string): object {
  return { command: NODE, args: [SERVER, how, `${person.home}/texts.json`] };
}

beforeAll(async () => {
  person = await Person.arrive();
  const servers = Object.fromEntries(
    ['hostile', 'die', 'version', 'refuse'].map((how) => [how, serverOf(how)]),
  );
  await person.write('texts.json', JSON.stringify(TEXTS));
  await person.write(
    '.config/mcpmux/config.json',
    JSON.stringify({ mux: { history: { content: true } }, mcpServers: servers }),
  );
  const odd = { command: `no${ALL}`, args: [ALL], env: { [WORD]: ALL }, cwd: ALL, [`odd${ALL}`]: ALL };
  const bad = {
    odd,
    [HOSTILE_NAME]: { command: 'x' },
    url: { url: `http://127.0.0.1:9/${ALL}`, headers: { [ALL]: ALL } },
  };
  await person.write('bad.json', JSON.stringify({ mcpServers: bad, [`key${ALL}`]: 1 }));
  await person.write('broken.json', `{"mcpServers": ${ALL}`);
  await person.write('.claude.json', JSON.stringify({ mcpServers: bad }));
  const config = `${person.home}/.config/mcpmux/config.json`;
  running = new RawCli({
    args: ['--config', config, '--log-level', 'error'],
    env: person.environment,
    cwd: person.home,
  });
  await running.initialize();
  for (const name of Object.keys(servers)) await running.call('reload_server', { name });
  for (const tool of ['ok', 'fail', 'throw']) await running.call(`hostile__${tool}`);
  // mcpmux writes stored calls once a second
  await vi.waitFor(async () => {
    const { stdout } = await person.mcpmux('history');
    if (!stdout.includes('hostile.throw')) throw new Error(`a call is not stored yet: ${stdout}`);
  }, 10_000);
});

afterAll(async () => {
  await running[Symbol.asyncDispose]();
  await person[Symbol.asyncDispose]();
});

const ESCAPED = /\\u001b|\\u202e|\\u009b/;
/** The codes with which mcpmux draws the screen of top, the line that shows progress, and its questions. */
// oxlint-disable-next-line no-control-regex -- these are codes of a terminal
const DRAWN = /\u001B\[(?:\?1049[hl]|\?25[hl]|H|J|K|0J|\d+G)|\r/g;
const BAD = ['--config', 'bad.json'];

/** The command lines, each with something that is on the screen if the texts have come that far. */
const LINES: readonly (readonly [words: readonly string[], mark: RegExp | string])[] = [
  [['list'], 'hostile'],
  [['list', '--json'], ESCAPED],
  [['list', '--tools', '--fresh'], 'h2'],
  [['list', ...BAD], 'odd'],
  [['tools'], 'h2'],
  [['tools', '--schema'], ESCAPED],
  [['tools', '--json'], ESCAPED],
  [['tools', `none${SHORT}`], ESCAPED],
  [['call', 'hostile.ok'], ESCAPED],
  [['call', 'hostile.ok', '--json'], ESCAPED],
  [['call', 'hostile.fail'], ESCAPED],
  [['call', 'hostile.throw'], ESCAPED],
  [['call', 'hostile.throw', '--json'], ESCAPED],
  [['call', 'hostile.none'], ESCAPED],
  [['call', `hostile.${WORD}`], ESCAPED],
  [['call', 'hostile.exit', '--fresh'], ESCAPED],
  [['call', 'die.ok', '--fresh'], ESCAPED],
  [['call', 'refuse.ok', '--json', '--fresh'], ESCAPED],
  [['prompts'], 'h2'],
  [['resources'], 'h2'],
  [['prompt', `hostile.${WORD}`], ESCAPED],
  [['read', WORD], ESCAPED],
  [['doctor'], ESCAPED],
  [['doctor', '--json'], ESCAPED],
  [['doctor', ...BAD], ESCAPED],
  [['logs'], ESCAPED],
  [['logs', '--json'], ESCAPED],
  [['history'], 'h7\\u0007z'],
  [['history', '--json'], ESCAPED],
  [['top', '--once'], 'hostile'],
  [['top', '--once', '--json'], ESCAPED],
  [['get', 'odd', ...BAD], ESCAPED],
  [['get', 'odd', '--json', ...BAD], ESCAPED],
  [['get', WORD], ESCAPED],
  [['config', 'validate', ...BAD], ESCAPED],
  [['config', 'validate', '--config', 'broken.json'], 'broken'],
  [['config', 'path', '--config', WORD], ESCAPED],
  [['config', 'get', ...BAD], ESCAPED],
  [['config', 'get', WORD], ESCAPED],
  [['config', 'set', 'mux.shared', WORD], 'nothing was written'],
  [['config', 'unset', WORD], ESCAPED],
  [['list', '--profile', WORD], ESCAPED],
  [['export', ...BAD], ESCAPED],
  [['export', '--client', 'codex', ...BAD], ESCAPED],
  [['import', '--dry-run'], ESCAPED],
  [['add', WORD, '--', WORD], ESCAPED],
  [['add', 'new', '--dry-run', '--', WORD, WORD], 'would change'],
  [['remove', WORD], ESCAPED],
  [['enable', WORD], ESCAPED],
  [['disable', WORD], ESCAPED],
  [['reload', SHORT], ESCAPED],
  [['reload', 'die'], ESCAPED],
  [['login', WORD], ESCAPED],
  [['logout', WORD], ESCAPED],
  [['secret', 'set', WORD], ESCAPED],
  [['install', WORD], ESCAPED],
  [['uninstall', WORD], ESCAPED],
  [['inspect', WORD], ESCAPED],
  [['status', '--pid', WORD], ESCAPED],
  [['approve', WORD], ESCAPED],
  [['outdated', WORD], ESCAPED],
  [['upgrade', WORD], ESCAPED],
  [['types'], 'h2'],
  [['record', 'recorded.ndjson', WORD], ESCAPED],
  [['replay', WORD], ESCAPED],
  [['stop', '--pid', WORD], ESCAPED],
  [['restart', '--pid', WORD], ESCAPED],
  [['cluster', WORD], ESCAPED],
  [['ui', '--pid', WORD], ESCAPED],
  [['search', WORD, '--registry', 'http://127.0.0.1:2'], 'cannot be reached'],
  [['init', '--scope', WORD], ESCAPED],
  [['skills', WORD], ESCAPED],
  [['completion', WORD], /./],
  [['version', `--${WORD}`], ESCAPED],
  [[WORD], ESCAPED],
  [['--config', WORD, 'serve'], ESCAPED],
];

const reason = hasTerminals ? '' : ' (skipped: no script of util-linux here to make a pseudo-terminal)';
describe.skipIf(!hasTerminals)(`fault H5: on a terminal${reason}`, () => {
  it.concurrent.each(LINES)('mcpmux %j shows hostile texts and obeys none', async (words, mark) => {
    const screen = await screenOf([NODE, CLI, ...words]);
    expect(screen).toMatch(mark);
    expect(actingPart(screen)).toBe('');
  });

  it.concurrent.each(['pretty', 'json'])('the log of serve does the same: %s', async (format) => {
    const tools = JSON.stringify(['ok', 'fail', 'throw', 'none', 'exit'].map((tool) => `hostile__${tool}`));
    const serve = [CLI, 'serve', '--no-socket', '--log-level', 'debug', '--log-format', format];
    const screen = await screenOf([NODE, DRIVER, tools, ...serve]);
    expect(screen).toMatch(ESCAPED);
    expect(actingPart(screen)).toBe('');
  });

  it.concurrent.each([
    ['call hostile.ok', ['call', 'hostile.ok', '--fresh'], /calling hostile\.ok/, ''],
    ['install', ['install', 'claude-code'], /\[y\/N\]/, 'n\n'],
    ['top', ['top'], /hostile/, '\u001B[C\u001B[C\u001B[Cq'],
  ])('with a person at it, %s adds only what mcpmux itself draws', async (_, words, sign, keys) => {
    await using terminal = new Terminal([NODE, CLI, ...words], {
      cwd: person.home,
      env: { ...person.environment, NO_COLOR: '1' },
      columns: 300,
    });
    await terminal.until(sign);
    terminal.type(keys);
    await terminal.end();
    expect(actingPart(terminal.screen.replaceAll(DRAWN, ''))).toBe('');
  });

  it('every command stands among these', async () => {
    const { stdout } = await person.mcpmux('--help');
    const [, list = ''] = stdout.split('-h, --help');
    const names = [...(list.split('Examples:', 1)[0]?.matchAll(/^ {2}([a-z]+)/gm) ?? [])].map(
      ([, name]) => name,
    );
    expect(names.length).toBeGreaterThan(20);
    const shown = new Set(LINES.flatMap(([words]) => words));
    expect(names.filter((name) => name !== undefined && !shown.has(name) && name !== 'help')).toEqual([]);
  });
});

it('data of a tool is for a program as the server wrote it, if stdout is no terminal', async () => {
  const { stdout } = await person.mcpmux('call', 'hostile.ok');
  expect(stdout).toBe(`${TEXTS.join('\n')}\n`);
});
