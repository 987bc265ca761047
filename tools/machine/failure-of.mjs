// A command of the system that a tool runs to fetch what tests need.
import { spawnSync } from 'node:child_process';

/** Runs a command until a time (ms since the epoch); returns the reason if it fails, otherwise an empty text. */
export function failureOf(until, command, words, options = {}) {
  const { status, error, stderr } = spawnSync(command, words, {
    ...options,
    timeout: Math.max(1, until - Date.now()),
    encoding: 'utf8',
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  if (error !== undefined) return `${command}: ${error.message}`;
  return status === 0 ? '' : `${command} failed: ${stderr.trim().split('\n').at(-1)}`;
}
