import {
  isRemote,
  type ProcessConfig,
  type RemoteConfig,
  type ServerConfig,
} from '../upstream/server-config.js';
import type { ShownCommand } from '../upstream/shown-command.js';
import { escapeInvisible } from '../wire/invisible-text.js';
import { commandLine } from './command-line.js';

/** Longest command line that is put to a user, in characters: nobody checks a longer one. */
export const MAX_ASKED_COMMAND = 8000;

/** A hidden value with one of these may be more than a secret: a program for a shell, say. */
const MORE_THAN_A_SECRET = /[\s$`;|<>()]/;

type Question = { readonly message: string } | { readonly problem: string };

/**
 * What a user is asked before a server is added; or why that cannot be asked. No value of `env` or of a header and no
 * secret is in it.
 */
export function addQuestion(name: string, config: ServerConfig, shown: ShownCommand): Question {
  const line = commandLine(shown);
  const names = Object.keys((isRemote(config) ? config.headers : config.env) ?? {}).join(', ');
  const length = line.length + names.length;
  if (length > MAX_ASKED_COMMAND) {
    const what = isRemote(config) ? 'url' : 'command line';
    return { problem: `the ${what} has ${length} characters, more than a user can check` };
  }
  const list = names === '' ? 'none' : escapeInvisible(names);
  const paragraphs = isRemote(config)
    ? urlQuestion(name, config, line, list)
    : programQuestion(name, config, shown, list);
  return { message: paragraphs.join('\n') };
}

function programQuestion(
  name: string,
  { cwd }: ProcessConfig,
  shown: ShownCommand,
  variables: string,
): readonly string[] {
  return [
    `mcpmux: the agent wants to start a program on this computer, as MCP server "${escapeInvisible(name)}":`,
    commandLine(shown),
    `Environment variables that it sets: ${variables}`,
    `Working directory: ${cwd === undefined ? 'that of mcpmux' : escapeInvisible(cwd)}`,
    ...warnings(shown),
    'Accept to let it run with your rights.',
  ];
}

function urlQuestion(
  name: string,
  { transport = 'auto' }: RemoteConfig,
  url: string,
  headers: string,
): readonly string[] {
  return [
    `mcpmux: the agent wants to connect to a server elsewhere, as MCP server "${escapeInvisible(name)}":`,
    url,
    `HTTP headers that it sends: ${headers}`,
    `Transport: ${transport}`,
    'Accept to let it be sent what the agent calls it with.',
  ];
}

function warnings({ secrets }: ShownCommand): readonly string[] {
  if (!secrets.some((secret) => MORE_THAN_A_SECRET.test(secret))) return [];
  return [
    'Caution: what is hidden as [redacted] holds blanks or characters of a shell. Look at the call itself.',
  ];
}
