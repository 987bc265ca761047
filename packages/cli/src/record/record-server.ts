import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import process from 'node:process';
import { setTimeout as elapsed } from 'node:timers/promises';

import { maskArgs, messageOf } from '@mcpmux/core';
import { findProgram } from '@mcpmux/programs';

import { LineTap } from './line-tap.js';
import { formatRecordedLine, createRedaction, formatOmittedLine, type Sender } from './recorded-line.js';
import { RecordingFile } from './recording-file.js';

/** How long to wait, in milliseconds, for an exited server's output to close. A descendant may keep it open. */
const OUTPUT_CLOSE_TIMEOUT_MS = 2000;

/**
 * Runs a server on this process's stdin, stdout and stderr, and passes all bytes through unchanged. Records each line
 * in a file, with its secrets masked. Resolves to the server's exit code.
 *
 * @throws MuxError if the program does not exist, or a system error if the file cannot be created
 */
export async function recordServer(
  file: string,
  [command = '', ...args]: readonly string[],
): Promise<number> {
  const program = await findProgram({ command, args, env: process.env });
  const child = spawn(program.command, program.args, { ...program, stdio: 'pipe' });
  const exited = once(child, 'exit');
  const closed = once(child, 'close');
  for (const promise of [exited, closed]) promise.catch(() => undefined);
  await once(child, 'spawn');
  const recording = createRecording(file, child);
  const { args: maskedArgs, secrets } = maskArgs(args);
  recording.write(JSON.stringify({ mcpmux: 'recording', version: 1, command, args: maskedArgs }));
  const createTap = tapFactory(recording, createRedaction(process.env, secrets));
  const taps = { client: createTap('client'), server: createTap('server'), stderr: createTap('stderr') };
  process.stdin.on('data', (chunk: Buffer) => taps.client.write(chunk)).pipe(child.stdin);
  child.stdout.on('data', (chunk: Buffer) => taps.server.write(chunk)).pipe(process.stdout);
  child.stderr.on('data', (chunk: Buffer) => taps.stderr.write(chunk)).pipe(process.stderr);
  child.stdin.on('error', () => undefined);
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
  await exited;
  await Promise.race([closed, elapsed(OUTPUT_CLOSE_TIMEOUT_MS)]);
  child.stdout.destroy();
  child.stderr.destroy();
  process.stdin.destroy();
  for (const tap of Object.values(taps)) tap.end();
  recording.write(JSON.stringify({ from: 'end', code: child.exitCode, signal: child.signalCode }));
  recording.close();
  return child.exitCode ?? 128 + constants.signals[child.signalCode ?? 'SIGTERM'];
}

/** Kills the server if the recording cannot be created. */
function createRecording(file: string, child: ChildProcess): RecordingFile {
  try {
    const recording = RecordingFile.create(file, (error) =>
      printNote(`the recording ${file} ends here, and the server goes on: ${messageOf(error)}`),
    );
    if (recording.path !== file) printNote(`${file} exists, so the recording is ${recording.path}`);
    return recording;
  } catch (error) {
    child.kill();
    throw error;
  }
}

function printNote(text: string): void {
  process.stderr.write(`mcpmux: ${text}\n`);
}

function tapFactory(recording: RecordingFile, redact: (line: Buffer) => Buffer): (from: Sender) => LineTap {
  const startTime = performance.now();
  return (from) =>
    new LineTap((line) => {
      const time = Math.round(performance.now() - startTime);
      recording.write(recordOf(from, line, { time, redact }));
    });
}

function recordOf(
  from: Sender,
  line: Buffer | undefined,
  { time, redact }: { readonly time: number; readonly redact: (line: Buffer) => Buffer },
): string {
  try {
    if (line !== undefined) return formatRecordedLine({ from, line: redact(line) }, time).trimEnd();
  } catch {
    // If masking fails, for example at a limit of the regular expression engine, the line could contain secrets.
  }
  return formatOmittedLine(from, time);
}
