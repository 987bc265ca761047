import { spawn } from 'node:child_process';
import { closeSync } from 'node:fs';
import process from 'node:process';

import { grandchildPath } from './family-tools.js';
import { answerText, lineOf, write } from './output.js';
import type { ToolCall } from './raw-server.js';

const GARBAGE_LINES = [
  'npm notice new version',
  '\u001B[32mready\u001B[0m',
  '{"jsonrpc":"2.0","id":',
  '[]',
  '\u0000',
];

/** Starts a process that outlives this one, in the same process group or in a separate session. */
function fork({ id, arguments: { nonce } }: ToolCall, detached: boolean): void {
  const role = detached ? 'escapee' : 'grandchild';
  const child = spawn(process.execPath, [grandchildPath(), role], {
    detached,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  child.on('spawn', () => answerText(id, String(nonce)));
  child.on('error', () => answerText(id, String(nonce)));
}

/** The faults of `faulty`, by tool name. Some tools never respond. */
export const FAULTS: Readonly<Record<string, (call: ToolCall) => void>> = {
  echo: ({ id, arguments: { nonce } }) => answerText(id, String(nonce)),
  slow: ({ id, arguments: { nonce, n } }) => void setTimeout(() => answerText(id, String(nonce)), Number(n)),
  exit: ({ arguments: { n } }) => process.exit(Number(n)),
  close_stdout: () => closeSync(1),
  close_stdin: () => process.stdin.destroy(),
  stop_reading: () => void process.stdin.pause(),
  garbage({ id, arguments: { nonce } }) {
    write(`${GARBAGE_LINES.join('\n')}\n`);
    answerText(id, String(nonce));
  },
  damage: ({ id }) => write(`{"jsonrpc":"2.0","id":${id},"result":{"content":[\n`),
  oversize: ({ id, arguments: { n } }) => answerText(id, 'x'.repeat(Number(n))),
  flood({ id, arguments: { nonce, n } }) {
    const line = lineOf({
      method: 'notifications/message',
      params: { level: 'info', data: 'x'.repeat(100) },
    });
    write(line.repeat(Number(n)));
    answerText(id, String(nonce));
  },
  stderr({ id, arguments: { nonce, n } }) {
    process.stderr.write('talking, talking, talking\n'.repeat(Number(n)));
    answerText(id, String(nonce));
  },
  fork: (call) => fork(call, false),
  escape: (call) => fork(call, true),
};
