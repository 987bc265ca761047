import { escapeInvisible, REDACTED } from '@mcpmux/kit';
import { describeSandbox } from '@mcpmux/sandbox';
import {
  isRemote,
  type ProcessConfig,
  type RemoteConfig,
  type ServerConfig,
} from '../../server/config/server-config.js';
import { mayContainCode, type RedactedCommand } from '../../server/config/redact-command.js';
import { commandLine, quoteIfUnclear } from '../journal/audit.js';

/** The maximum number of characters of a command line or URL in a question. A user would not check a longer one. */
export const MAX_COMMAND_LENGTH = 8000;

const INHERITED_TEXTS = {
  all: 'the whole environment of mcpmux',
  safe: 'a short list of ordinary variables',
  none: 'nothing',
} as const;

const MIXED_SECRET_PROBLEM =
  'a value that looks like a secret holds characters of a path or a program, so it can be neither shown nor hidden; ' +
  'give secrets in env, and let the program read them there';

/** How a question describes a server, and the question's last sentence. */
interface ServerDescription {
  readonly paragraphs: readonly string[];
  readonly consequence: string;
}

interface Problem {
  readonly problem: string;
}

/** More facts to mention in the question. */
interface QuestionFacts {
  /** True if the server will be saved, so that it also starts in later sessions. */
  readonly isPersisted?: boolean;
  /** The rights that the server requests beyond the policy's sandbox, one sentence each. */
  readonly rights?: readonly string[] | undefined;
}

/** Returns the question to the user about adding a server, or the reason why the user cannot be asked to decide. */
export function addQuestion(
  name: string,
  config: ServerConfig,
  redacted: RedactedCommand,
  { isPersisted = false, rights = [] }: QuestionFacts = {},
): { readonly message: string } | Problem {
  const description = describeServer(config, redacted);
  if ('problem' in description) return description;
  const [action, laterAction] = isRemote(config)
    ? ['connect to a server elsewhere', 'connects to']
    : ['start a program on this computer', 'starts'];
  const lines = [
    `mcpmux: the agent wants to ${action}, as MCP server "${escapeInvisible(name)}":`,
    ...description.paragraphs,
    ...(rights.length === 0 ? [] : ['It asks for more than the sandbox of this mcpmux allows:']),
    ...rights.map((right) => `- ${escapeInvisible(right)}`),
    ...(isPersisted ? [`It is saved: each start of mcpmux ${laterAction} it again.`] : []),
    description.consequence,
  ];
  return { message: lines.join('\n') };
}

/**
 * Describes a server for the user's decision, or returns the reason why a user cannot decide. Hides only likely
 * secrets.
 *
 * @param redacted - the result of {@link commandForQuestion}
 */
export function describeServer(config: ServerConfig, redacted: RedactedCommand): ServerDescription | Problem {
  const line = commandLine(redacted);
  const names = isRemote(config) ? escapeInvisible(headerNames(config)) : variablesOf(redacted);
  const length = line.length + names.length + (isRemote(config) ? '' : (config.cwd ?? '')).length;
  if (length > MAX_COMMAND_LENGTH) {
    const noun = isRemote(config) ? 'url' : 'command line';
    return { problem: `the ${noun} has ${length} characters, more than a user can check` };
  }
  if (!isRemote(config) && redacted.secrets.some(mayContainCode)) return { problem: MIXED_SECRET_PROBLEM };
  const nameList = names === '' ? 'none' : names;
  const { paragraphs, consequence } = isRemote(config)
    ? describeUrl(config, line, nameList)
    : describeProgram(config, line, nameList);
  return { paragraphs: [...paragraphs, ...secretWarnings(redacted)], consequence };
}

/** Lists the names of the headers. Their values are omitted, because they cannot make anything run. */
function headerNames({ headers = {} }: RemoteConfig): string {
  return Object.keys(headers).join(', ');
}

function variablesOf({ variables = [] }: RedactedCommand): string {
  return variables.map(quoteIfUnclear).join(', ');
}

function describeProgram(
  { cwd, sandbox, inheritEnv = sandbox === undefined ? 'all' : 'safe' }: ProcessConfig,
  line: string,
  variables: string,
): ServerDescription {
  const paragraphs = [
    line,
    `Environment variables that it sets: ${variables}`,
    `Environment that it inherits: ${INHERITED_TEXTS[inheritEnv]}`,
    `Working directory: ${cwd === undefined ? 'that of mcpmux' : escapeInvisible(cwd)}`,
    ...(sandbox === undefined ? [] : [`Sandbox: ${escapeInvisible(describeSandbox(sandbox))}`]),
  ];
  const rights = sandbox === undefined ? 'with your rights' : 'in that sandbox';
  return { paragraphs, consequence: `Accept to let it run ${rights}.` };
}

function describeUrl({ transport = 'auto' }: RemoteConfig, url: string, headers: string): ServerDescription {
  const paragraphs = [url, `HTTP headers that it sends: ${headers}`, `Transport: ${transport}`];
  return { paragraphs, consequence: 'Accept to let mcpmux send it the calls of the agent.' };
}

function secretWarnings({ secrets }: RedactedCommand): readonly string[] {
  if (secrets.length === 0) return [];
  return [`Hidden as ${REDACTED}, because they look like secrets: ${secrets.length}`];
}
