import process from 'node:process';

import type { ClientPlaces } from '@mcpmux/clients';

import { homeFolder } from '../base/home-folder.js';
import {
  whenStdoutReady,
  redrawStderrLine,
  terminals,
  writeData,
  writeStderr,
  writeStdout,
} from '../base/terminal-output.js';
import { colours, type Colours } from './colours.js';

/** The flags that all commands share. */
export interface CommonFlags {
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly yes?: boolean;
  /** False with `--no-input`. */
  readonly input?: boolean;
  readonly directory?: string;
}

/** The streams of a command. stdout carries data, and stderr carries text for people. */
export interface CommandStreams {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Writes data. Escapes control characters only if stdout is a terminal. */
  readonly data: (text: string) => void;
  /** Overwrites the current line on stderr, which must be a terminal. */
  readonly redraw: (line: string) => void;
  /** Resolves when stdout can accept more data, usually immediately. */
  readonly whenStdoutReady: () => Promise<void>;
  /** True if the command may prompt the user. */
  readonly isInteractive: boolean;
  readonly outColours: Colours;
  readonly stderrColours: Colours;
  /** The width of the terminal on stdout, in columns. Infinite if stdout is not a terminal. */
  readonly columns: number;
}

/** The flags, streams, folders and environment variables that a command uses. */
export interface CommandContext extends ClientPlaces {
  readonly flags: CommonFlags;
  readonly streams: CommandStreams;
}

/** Runs a command. Receives the words after the command's name, and the command's flags. Resolves to the exit code. */
export type Action<Flags, Result = Promise<number>> = (
  context: CommandContext,
  words: readonly string[],
  flags: Flags,
) => Result;

/** Returns a command context with the streams, folders and environment of this process. */
export function processContext(flags: CommonFlags): CommandContext {
  const { stdin, env } = process;
  return {
    flags,
    cwd: process.cwd(),
    home: homeFolder(),
    platform: process.platform,
    environment: env,
    streams: {
      out: writeStdout,
      err: writeStderr,
      data: writeData,
      redraw: redrawStderrLine,
      whenStdoutReady,
      isInteractive:
        stdin.isTTY &&
        terminals.isStderrTerminal &&
        flags.input !== false &&
        flags.json !== true &&
        env['CI'] === undefined,
      outColours: colours(terminals.isStdoutTerminal, env),
      stderrColours: colours(terminals.isStderrTerminal, env),
      columns: terminals.columns,
    },
  };
}

/** Prints a command's result: one JSON value with `--json`, otherwise the text, unless it is empty. */
export function printResult({ flags, streams }: CommandContext, value: unknown, text = ''): void {
  if (flags.json === true) streams.out(`${JSON.stringify(value, undefined, 2)}\n`);
  else if (text !== '') streams.out(`${text}\n`);
}

/** Prints a note for the user to stderr. Prints nothing with `--quiet` or `--json`. */
export function printNote({ flags, streams }: CommandContext, text: string): void {
  if (text !== '' && flags.quiet !== true && flags.json !== true) streams.err(`${text}\n`);
}
