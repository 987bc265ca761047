import type { ServerConfig } from '../upstream/server-config.js';
import type { ShownCommand } from '../upstream/shown-command.js';
import { escapeInvisible } from '../wire/invisible-text.js';
import { commandLine } from './command-line.js';

/** Longest command line that is put to a user, in characters: nobody checks a longer one. */
export const MAX_ASKED_COMMAND = 8000;

/** A hidden value with one of these may be more than a secret: a program for a shell, say. */
const MORE_THAN_A_SECRET = /[\s$`;|<>()]/;

/** What a user is asked before a server is added; or why that cannot be asked. No value of `env` and no secret is in it. */
export function addQuestion(
  name: string,
  config: ServerConfig,
  shown: ShownCommand,
): { readonly message: string } | { readonly problem: string } {
  const line = commandLine(shown);
  const names = Object.keys(config.env ?? {});
  const length = line.length + names.join(', ').length;
  if (length > MAX_ASKED_COMMAND)
    return { problem: `the command line has ${length} characters, more than a user can check` };
  const cwd = config.cwd === undefined ? 'that of mcpmux' : escapeInvisible(config.cwd);
  const paragraphs = [
    `mcpmux: the agent wants to start a program on this computer, as MCP server "${escapeInvisible(name)}":`,
    line,
    `Environment variables that it sets: ${names.length === 0 ? 'none' : escapeInvisible(names.join(', '))}`,
    `Working directory: ${cwd}`,
    ...warnings(shown),
    'Accept to let it run with your rights.',
  ];
  return { message: paragraphs.join('\n') };
}

function warnings({ secrets }: ShownCommand): readonly string[] {
  if (!secrets.some((secret) => MORE_THAN_A_SECRET.test(secret))) return [];
  return [
    'Caution: what is hidden as [redacted] holds blanks or characters of a shell. Look at the call itself.',
  ];
}
