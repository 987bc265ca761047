import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';

import { Screen, textOf } from './screen.mjs';

const DEADLINE_MS = 30_000;

/** Whether util-linux is here, whose `script` makes pseudo-terminals. */
export const hasTerminals =
  spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout?.includes('util-linux') ?? false;

/** Runs a command of a shell on a pseudo-terminal and gives what it wrote, with all control sequences. */
export async function outputOnTerminal(home, command, size) {
  const child = start(home, command, size);
  const chunks = [];
  child.stdout.setEncoding('utf8').on('data', (chunk) => chunks.push(chunk));
  await once(child, 'close', { signal: AbortSignal.timeout(DEADLINE_MS) });
  return home.shown(chunks.join(''));
}

/** Runs a program that fills the terminal until its screen matches, presses a key that ends it, and gives that screen. */
export async function screenOnTerminal(home, command, { size, until, quit }) {
  const screen = new Screen(size.columns, size.rows);
  const child = start(home, command, size);
  let shown;
  const look = async (chunk) => {
    await screen.write(home.shown(chunk));
    if (shown !== undefined || !until.test(textOf(screen.cells()))) return;
    shown = screen.cells();
    child.stdin.write(quit);
  };
  child.stdout.setEncoding('utf8').on('data', (chunk) => void look(chunk));
  await once(child, 'close', { signal: AbortSignal.timeout(DEADLINE_MS) });
  if (shown === undefined) throw new Error(`${command} ended without ${until}`);
  return shown;
}

function start({ folder, env }, command, { columns, rows }) {
  const line = `stty cols ${columns} rows ${rows}; ${command}`;
  const { COLUMNS: _columns, ...others } = env;
  return spawn('script', ['--quiet', '--return', '--flush', '--command', line, '/dev/null'], {
    cwd: folder,
    env: { ...others, TERM: 'xterm-256color', SHELL: '/bin/sh' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
}
