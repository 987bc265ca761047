import { MuxError, type MuxErrorCode } from '@mcpmux/kit';

import type { ProcessSpec } from './program-spec.js';

/** The products that include common programs, by program name. */
const PRODUCT_BY_PROGRAM: ReadonlyMap<string, string> = new Map([
  ['bunx', 'Bun'],
  ['deno', 'Deno'],
  ['docker', 'Docker'],
  ['node', 'Node.js'],
  ['npx', 'Node.js'],
  ['python3', 'Python'],
  ['uv', 'uv'],
  ['uvx', 'uv'],
]);
/**
 * Maximum length of a PATH in an error, in characters. Most PATHs have several hundred, which would fill the screen.
 */
const MAX_PATH_LENGTH = 80;

/** Where mcpmux searched for a program, for the error message. */
export interface SearchedLocations {
  /** The separator between the folders of PATH in the message. */
  readonly delimiter?: string;
  /** The only file that the command can mean, if the command is a path. */
  readonly file?: string;
  /** The file extensions that were tried on Windows, as text. */
  readonly extensions?: string;
}

/**
 * Returns the error for a program that does not exist. If the command looks like a whole command line, the error shows
 * how to split it.
 *
 * @param folders the folders of PATH, or undefined if the command is a path
 */
export function commandNotFoundError(
  { command, args }: ProcessSpec,
  folders: readonly string[] | undefined,
  { delimiter = ':', file = '', extensions }: SearchedLocations,
): MuxError {
  const split =
    commandLineProblem(command) ??
    (extensions === undefined ? windowsShellProblem(command, args) : undefined);
  if (split !== undefined) return unusableCommandError(command, split);
  const tried = extensions === undefined ? '' : `, with ${extensions}`;
  if (folders === undefined) {
    return unusableCommandError(
      command,
      `was not found: there is no file ${file}${tried && `, nor one${tried.slice(1)}`}.`,
    );
  }
  const path = folders.join(delimiter);
  const place = path.length > MAX_PATH_LENGTH ? `${folders.length} folders` : path || 'empty';
  const source = PRODUCT_BY_PROGRAM.get(command);
  const install = source === undefined ? 'Install it' : `It comes with ${source}. Install that`;
  return unusableCommandError(
    command,
    `was not found in PATH (${place})${tried}. ${install}, or give its absolute path.`,
  );
}

/** Returns the error for a command that cannot be used. */
export function unusableCommandError(
  command: string,
  problem: string,
  code: MuxErrorCode = 'COMMAND_NOT_FOUND',
): MuxError {
  return new MuxError(code, `command ${JSON.stringify(command)} ${problem}`, { data: { command } });
}

/** Returns the problem with a command that is a whole command line, or undefined for any other command. */
function commandLineProblem(command: string): string | undefined {
  const [program, ...args] = command.match(/"[^"]*"|'[^']*'|\S+/g) ?? [];
  if (program === undefined || args.length === 0) return undefined;
  const split = JSON.stringify({ command: unquote(program), args: args.map(unquote) });
  const rule = 'it is the name of one program, and no shell splits it';
  return `was not found: ${rule}. Arguments go into args: ${split}.`;
}

/** Returns the problem with a `cmd /c` command on a system other than Windows, or undefined for any other command. */
function windowsShellProblem(
  command: string,
  [flag = '', program, ...args]: readonly string[],
): string | undefined {
  if (!/^cmd(?:\.exe)?$/i.test(command) || !/^\/c$/i.test(flag) || program === undefined) return undefined;
  const itself = JSON.stringify({ command: program, args });
  const why = 'it is the shell of Windows, and this system needs none';
  return `was not found: ${why}. Give the program itself: ${itself}.`;
}

function unquote(word: string): string {
  return /^(["']).*\1$/.test(word) ? word.slice(1, -1) : word;
}
