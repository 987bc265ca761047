import type { AllowedCommand } from '@mcpmux/core';

const VARIABLE = /^([A-Za-z_]\w*)=$/;
const MORE = '...';
const MEMBERS: ReadonlySet<string> = new Set(['command', 'args', 'moreArgs', 'env', 'cwd']);

/**
 * Reads the value of `--allow-command`: words as in `TOKEN= npx -y package ...`, where leading `NAME=` are environment
 * variables that may be set, and `...` at the end stands for any further arguments; or a JSON object of the same, for
 * words with blanks in them and for a working directory.
 *
 * @returns the command, or what is wrong with the text
 */
export function readAllowedCommand(text: string): AllowedCommand | { readonly problem: string } {
  return text.trimStart().startsWith('{') ? fromJson(text) : fromWords(text);
}

function fromWords(text: string): AllowedCommand | { readonly problem: string } {
  const words = text.split(/\s+/).filter((word) => word !== '');
  if (/["'\\]/.test(text))
    return { problem: 'Words are not quoted here: write a JSON object for blanks in them.' };
  const start = words.findIndex((word) => !VARIABLE.test(word));
  const [command, ...args] = start === -1 ? [] : words.slice(start);
  if (command === undefined || command === MORE) return { problem: 'It must name a program.' };
  const moreArgs = args.at(-1) === MORE;
  return {
    command,
    args: moreArgs ? args.slice(0, -1) : args,
    moreArgs,
    env: words.slice(0, start).map((word) => word.slice(0, -1)),
  };
}

function fromJson(text: string): AllowedCommand | { readonly problem: string } {
  const value = parsed(text);
  return isAllowedCommand(value)
    ? value
    : {
        problem:
          'It must be {"command": "…", "args": ["…"], "moreArgs": false, "env": ["NAME"], "cwd": "…"}.',
      };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isAllowedCommand(value: unknown): value is AllowedCommand {
  if (typeof value !== 'object' || value === null) return false;
  // A member that nobody knows would allow less than was meant, or more.
  if (!Object.keys(value).every((key) => MEMBERS.has(key))) return false;
  const { command, args, moreArgs, env, cwd }: Partial<Record<keyof AllowedCommand, unknown>> = value;
  return (
    typeof command === 'string' &&
    command !== '' &&
    isTexts(args) &&
    isTexts(env) &&
    (moreArgs === undefined || typeof moreArgs === 'boolean') &&
    (cwd === undefined || typeof cwd === 'string')
  );
}

function isTexts(value: unknown): boolean {
  return value === undefined || (Array.isArray(value) && value.every((item) => typeof item === 'string'));
}
