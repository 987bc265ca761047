import type { AllowedCommand } from '@mcpmux/core';

import { parseJsonObject } from '../base/json-object.js';

const VARIABLE_WORD = /^([A-Za-z_]\w*)=$/;
const MORE_ARGS_WORD = '...';
const COMMAND_MEMBERS: ReadonlySet<string> = new Set(['command', 'args', 'moreArgs', 'env', 'cwd']);

/**
 * Parses the value of `--allow-command`: either words such as `TOKEN= npx -y package ...` or a JSON object. A leading
 * `NAME=` lets agents set that environment variable, and a trailing `...` lets them append arguments. Only the object
 * supports words with spaces and a working directory.
 *
 * @returns the command, or the problem with the value
 */
export function parseAllowedCommand(text: string): AllowedCommand | { readonly problem: string } {
  return text.trimStart().startsWith('{') ? parseJsonCommand(text) : parseWords(text);
}

function parseWords(text: string): AllowedCommand | { readonly problem: string } {
  const words = text.split(/\s+/).filter((word) => word !== '');
  if (/["'\\]/.test(text))
    return { problem: 'Quotes are not supported: for words with blanks, write a JSON object.' };
  const commandIndex = words.findIndex((word) => !VARIABLE_WORD.test(word));
  const [command, ...args] = commandIndex === -1 ? [] : words.slice(commandIndex);
  if (command === undefined || command === MORE_ARGS_WORD) return { problem: 'It must name a program.' };
  const moreArgs = args.at(-1) === MORE_ARGS_WORD;
  return {
    command,
    args: moreArgs ? args.slice(0, -1) : args,
    moreArgs,
    env: words.slice(0, commandIndex).map((word) => word.slice(0, -1)),
  };
}

function parseJsonCommand(text: string): AllowedCommand | { readonly problem: string } {
  const value = parseJsonObject(text);
  return isAllowedCommand(value)
    ? value
    : {
        problem:
          'It must be {"command": "…", "args": ["…"], "moreArgs": false, "env": ["NAME"], "cwd": "…"}.',
      };
}

function isAllowedCommand(value: unknown): value is AllowedCommand {
  if (typeof value !== 'object' || value === null) return false;
  // An unknown member is an error, because ignoring it could allow more or less than the user intended.
  if (!Object.keys(value).every((key) => COMMAND_MEMBERS.has(key))) return false;
  const { command, args, moreArgs, env, cwd }: Partial<Record<keyof AllowedCommand, unknown>> = value;
  return (
    typeof command === 'string' &&
    command !== '' &&
    isOptionalStringArray(args) &&
    isOptionalStringArray(env) &&
    (moreArgs === undefined || typeof moreArgs === 'boolean') &&
    (cwd === undefined || typeof cwd === 'string')
  );
}

function isOptionalStringArray(value: unknown): boolean {
  return value === undefined || (Array.isArray(value) && value.every((item) => typeof item === 'string'));
}
