import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';

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

function start({ folder, env }, command, { columns, rows }) {
  const line = `stty cols ${columns} rows ${rows}; ${command}`;
  const { COLUMNS: _columns, ...others } = env;
  return spawn('script', ['--quiet', '--return', '--flush', '--command', line, '/dev/null'], {
    cwd: folder,
    env: { ...others, TERM: 'xterm-256color', SHELL: '/bin/sh' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
}
