import {
  isRemote,
  type ProcessConfig,
  type RemoteConfig,
  type ServerConfig,
} from '../../upstream/config/server-config.js';
import { mayBeMore, type RedactedCommand } from '../../upstream/config/redact-command.js';
import { escapeInvisible } from '../../base/invisible-text.js';
import { REDACTED } from '../../redact/redactor.js';
import { commandLine, shownWord } from '../journal/command-line.js';

/** Longest command line or url that is put to a user, in characters: nobody checks a longer one. */
export const MAX_ASKED_COMMAND = 8000;

const INHERITED = {
  all: 'the whole environment of mcpmux',
  safe: 'a short list of ordinary variables',
  none: 'nothing',
} as const;

const HIDES_MORE =
  'a value that looks like a secret holds characters of a path or a program, so it can be neither shown nor hidden; ' +
  'give secrets in env, and let the program read them there';

type Parts = Readonly<Record<'kept' | 'consequence', string>> & { readonly paragraphs: readonly string[] };
type Question = { readonly message: string } | { readonly problem: string };

/** What a user is asked before a server is added; or why that cannot be asked. Nothing is hidden in it but what looks like a secret. */
export function addQuestion(
  name: string,
  config: ServerConfig,
  shown: RedactedCommand,
  isPersisted = false,
): Question {
  const line = commandLine(shown);
  const named = isRemote(config) ? escapeInvisible(headerNames(config)) : variablesOf(shown);
  const length = line.length + named.length + (isRemote(config) ? '' : (config.cwd ?? '')).length;
  if (length > MAX_ASKED_COMMAND) {
    const what = isRemote(config) ? 'url' : 'command line';
    return { problem: `the ${what} has ${length} characters, more than a user can check` };
  }
  const list = named === '' ? 'none' : named;
  const { paragraphs, kept, consequence } = isRemote(config)
    ? urlQuestion(name, config, line, list)
    : programQuestion(name, config, line, list);
  if (!isRemote(config) && shown.secrets.some(mayBeMore)) return { problem: HIDES_MORE };
  const lines = [...paragraphs, ...warnings(shown), ...(isPersisted ? [kept] : []), consequence];
  return { message: lines.join('\n') };
}

/** Headers run nothing, so their values stay hidden. */
function headerNames({ headers = {} }: RemoteConfig): string {
  return Object.keys(headers).join(', ');
}

function variablesOf({ variables = [] }: RedactedCommand): string {
  return variables.map(shownWord).join(', ');
}

function programQuestion(
  name: string,
  { cwd, inheritEnv = 'all' }: ProcessConfig,
  line: string,
  variables: string,
): Parts {
  const paragraphs = [
    `mcpmux: the agent wants to start a program on this computer, as MCP server "${escapeInvisible(name)}":`,
    line,
    `Environment variables that it sets: ${variables}`,
    `Environment that it inherits: ${INHERITED[inheritEnv]}`,
    `Working directory: ${cwd === undefined ? 'that of mcpmux' : escapeInvisible(cwd)}`,
  ];
  const kept = 'It is saved: each start of mcpmux starts it again.';
  return { paragraphs, kept, consequence: 'Accept to let it run with your rights.' };
}

function urlQuestion(
  name: string,
  { transport = 'auto' }: RemoteConfig,
  url: string,
  headers: string,
): Parts {
  const paragraphs = [
    `mcpmux: the agent wants to connect to a server elsewhere, as MCP server "${escapeInvisible(name)}":`,
    url,
    `HTTP headers that it sends: ${headers}`,
    `Transport: ${transport}`,
  ];
  const kept = 'It is saved: each start of mcpmux connects to it again.';
  return { paragraphs, kept, consequence: 'Accept to let mcpmux send it the calls of the agent.' };
}

function warnings({ secrets }: RedactedCommand): readonly string[] {
  if (secrets.length === 0) return [];
  return [`Hidden as ${REDACTED}, because they look like secrets: ${secrets.length}`];
}
