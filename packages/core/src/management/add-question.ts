import type { ServerConfig } from '../upstream/server-config.js';
import { mayBeMore, type ShownCommand } from '../upstream/shown-command.js';
import { escapeInvisible } from '../wire/invisible-text.js';
import { commandLine } from './command-line.js';

/** Longest command line that is put to a user, in characters: nobody checks a longer one. */
export const MAX_ASKED_COMMAND = 8000;

const INHERITED = {
  all: 'the whole environment of mcpmux',
  safe: 'a short list of ordinary variables',
  none: 'nothing',
} as const;

/** What a user is asked before a server is added; or why that cannot be asked. Nothing is hidden in it but what looks like a secret. */
export function addQuestion(
  name: string,
  config: ServerConfig,
  shown: ShownCommand,
  isKept: boolean,
): { readonly message: string } | { readonly problem: string } {
  const line = commandLine(shown);
  const names = Object.keys(config.env ?? {});
  const length = line.length + names.join(', ').length + (config.cwd ?? '').length;
  if (length > MAX_ASKED_COMMAND)
    return { problem: `the command line has ${length} characters, more than a user can check` };
  const cwd = config.cwd === undefined ? 'that of mcpmux' : escapeInvisible(config.cwd);
  const paragraphs = [
    `mcpmux: the agent wants to start a program on this computer, as MCP server "${escapeInvisible(name)}":`,
    line,
    `Environment variables that it sets: ${names.length === 0 ? 'none' : escapeInvisible(names.join(', '))}`,
    `What it inherits: ${environmentOf(config)}`,
    `Working directory: ${cwd}`,
    ...warnings(shown),
    ...(isKept ? ['It is kept: mcpmux starts it again each time that it starts.'] : []),
    'Accept to let it run with your rights.',
  ];
  return { message: paragraphs.join('\n') };
}

function warnings({ secrets }: ShownCommand): readonly string[] {
  if (secrets.length === 0) return [];
  const hidden = `Hidden as [redacted], because they look like secrets: ${secrets.length}`;
  if (!secrets.some(mayBeMore)) return [hidden];
  return [hidden, 'Caution: what is hidden may be a path or a program for a shell. Look at the call itself.'];
}

function environmentOf({ inheritEnv = 'all' }: ServerConfig): string {
  return INHERITED[inheritEnv];
}
