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
  /** Writes data, unchanged unless stdout is a terminal. */
  readonly data: (text: string) => void;
  /** Replaces the last line on stderr, which must be a terminal. */
  readonly redraw: (line: string) => void;
  /** Resolves when stdout can accept more data, usually immediately. */
  readonly whenStdoutReady: () => Promise<void>;
  /** True if the command can ask questions. */
  readonly isInteractive: boolean;
  readonly outColours: Colours;
  readonly stderrColours: Colours;
  /** The width of the terminal on stdout. Infinite if stdout is not a terminal. */
  readonly columns: number;
}

/** The environment of a command. */
export interface CommandContext extends ClientPlaces {
  readonly flags: CommonFlags;
  readonly streams: CommandStreams;
}

/** The action of a command. Receives the flags, and the words after the command's name. Returns the exit code. */
export type Action<Flags, Result = Promise<number>> = (
  context: CommandContext,
  words: readonly string[],
  flags: Flags,
) => Result;

/** Returns the context of a command in this process. */
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

/** Prints a command's result: with `--json` as one JSON value, otherwise as text, unless the text is empty. */
export function printResult({ flags, streams }: CommandContext, value: unknown, text = ''): void {
  if (flags.json === true) streams.out(`${JSON.stringify(value, undefined, 2)}\n`);
  else if (text !== '') streams.out(`${text}\n`);
}

/** Prints text for people to stderr. Prints nothing with `--quiet` or `--json`. */
export function printNote({ flags, streams }: CommandContext, text: string): void {
  if (text !== '' && flags.quiet !== true && flags.json !== true) streams.err(`${text}\n`);
}
