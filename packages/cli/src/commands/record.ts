import { resolve } from 'node:path';

import { MuxError } from '@mcpmux/core';

import { fileText } from '../base/file-text.js';
import { ExitCode } from '../base/exit-code.js';
import { recordServer } from '../record/record-server.js';
import { replayServer } from '../record/replay-server.js';
import type { Action, CommonFlags } from '../terminal/command-context.js';
import { CommandError, usage } from '../terminal/command-error.js';
import { writeFailed } from '../edit/write-failure.js';

/** Runs a server and records all its messages. Only the server writes to stdout. */
export const record: Action<CommonFlags> = async ({ cwd }, [name = '', ...words], { json }) => {
  if (json === true) throw usage('record has no --json: its stdout belongs to the server.');
  const file = resolve(cwd, name);
  try {
    return await recordServer(file, words);
  } catch (error) {
    if (!(error instanceof MuxError)) throw writeFailed(file, error);
    throw new CommandError('COMMAND_NOT_FOUND', error.message, {
      next: 'write the command of the server: mcpmux record FILE -- COMMAND ARGUMENTS',
    });
  }
};

/** Replays the server of a recording. Only the replayed server writes to stdout. */
export const replay: Action<CommonFlags> = async ({ cwd }, [name = ''], { json }) => {
  if (json === true) throw usage('replay has no --json: its stdout belongs to the server.');
  await replayServer(readRecording(resolve(cwd, name)));
  return ExitCode.Ok;
};

function readRecording(file: string): string {
  const text = fileText(file);
  if (text?.startsWith('{"mcpmux":"recording","version":1') === true) return text;
  if (text === undefined)
    throw new CommandError('RECORDING_NOT_FOUND', `${file} cannot be read.`, { exitCode: ExitCode.NotFound });
  throw new CommandError('RECORDING_INVALID', `${file} is not a recording of this version of mcpmux.`, {
    next: 'record a server: mcpmux record FILE -- COMMAND ARGUMENTS',
  });
}
