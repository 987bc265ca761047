import { resolve } from 'node:path';

import { MuxError } from '@mcpmux/core';

import { readFileText } from '../base/file-text.js';
import { ExitCode } from '../base/exit-code.js';
import { recordServer } from '../record/record-server.js';
import { replayServer } from '../record/replay-server.js';
import type { Action, CommonFlags } from '../terminal/command-context.js';
import { CommandError, usageError } from '../terminal/command-error.js';
import { toWriteError } from '../edit/write-failure.js';

/** Runs a server and records the messages between it and its client. Only the server writes to stdout. */
export const record: Action<CommonFlags> = async ({ cwd }, [name = '', ...words], { json }) => {
  if (json === true) throw usageError('record has no --json: its stdout belongs to the server.');
  const file = resolve(cwd, name);
  try {
    return await recordServer(file, words);
  } catch (error) {
    if (!(error instanceof MuxError)) throw toWriteError(file, error);
    throw new CommandError('COMMAND_NOT_FOUND', error.message, {
      next: 'write the command of the server: mcpmux record FILE -- COMMAND ARGUMENTS',
    });
  }
};

/** Replays a recorded server. Only the replayed server writes to stdout. */
export const replay: Action<CommonFlags> = async ({ cwd }, [name = ''], { json }) => {
  if (json === true) throw usageError('replay has no --json: its stdout belongs to the server.');
  await replayServer(readRecording(resolve(cwd, name)));
  return ExitCode.Ok;
};

function readRecording(file: string): string {
  const text = readFileText(file);
  if (text?.startsWith('{"mcpmux":"recording","version":1') === true) return text;
  if (text === undefined)
    throw new CommandError('RECORDING_NOT_FOUND', `${file} cannot be read.`, { exitCode: ExitCode.NotFound });
  throw new CommandError('RECORDING_INVALID', `${file} is not a recording of this version of mcpmux.`, {
    next: 'record a server: mcpmux record FILE -- COMMAND ARGUMENTS',
  });
}
