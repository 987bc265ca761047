import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, fchmodSync, openSync, writeSync } from 'node:fs';
import { constants } from 'node:os';
import process from 'node:process';

import { maskArgs } from '@mcpmux/core';

import { LineTap } from './line-tap.js';
import { recordedText, redaction, type Sender } from './recorded-line.js';

/** The size at which a recording ends. The server goes on. */
const MAX_BYTES = 256 * 1024 * 1024;
const OWNER_ONLY = 0o600;

/**
 * Runs a server between stdin and stdout of this process, which pass through unchanged, and writes each line into a
 * file without secrets. Resolves with the exit code of the server.
 *
 * @throws the error of the system if the file cannot be written, or if the program does not exist
 */
export async function recordServer(
  file: string,
  [command = '', ...args]: readonly string[],
): Promise<number> {
  const recording = openSync(file, 'w', OWNER_ONLY);
  fchmodSync(recording, OWNER_ONLY);
  const child = spawn(command, args, { stdio: 'pipe' });
  const spawned = once(child, 'spawn');
  const closed = once(child, 'close');
  closed.catch(() => undefined);
  const write = writerOf(recording);
  write(JSON.stringify({ mcpmux: 'recording', version: 1, command, args: maskArgs(args).args }));
  const redact = redaction(process.env);
  const start = performance.now();
  const tap = (from: Sender): LineTap =>
    new LineTap((line) =>
      write(recordedText({ from, line: redact(line) }, Math.round(performance.now() - start)).trimEnd()),
    );
  await spawned;
  const taps = { client: tap('client'), server: tap('server'), stderr: tap('stderr') };
  process.stdin.on('data', (chunk: Buffer) => taps.client.write(chunk)).pipe(child.stdin);
  child.stdout.on('data', (chunk: Buffer) => taps.server.write(chunk)).pipe(process.stdout);
  child.stderr.on('data', (chunk: Buffer) => taps.stderr.write(chunk)).pipe(process.stderr);
  child.stdin.on('error', () => undefined);
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
  await closed;
  for (const one of Object.values(taps)) one.end();
  write(JSON.stringify({ from: 'end', code: child.exitCode, signal: child.signalCode }));
  closeSync(recording);
  return child.exitCode ?? 128 + constants.signals[child.signalCode ?? 'SIGTERM'];
}

function writerOf(recording: number): (record: string) => void {
  let left = MAX_BYTES;
  return (record) => {
    left -= Buffer.byteLength(record) + 1;
    if (left > 0) writeSync(recording, `${record}\n`);
  };
}
