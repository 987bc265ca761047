/** How a gateway gets its servers: from a file, as one command behind it, or by calls of `add_server`. */
export type ServersBy = 'file' | 'one command' | 'add_server';

/** A gateway of any author, by the command that starts it. */
export interface GatewaySpec {
  readonly name: string;
  readonly version: string | undefined;
  /** The words of its command, with placeholders. */
  readonly words: readonly string[];
  /** Where it listens, with the placeholder `{port}`; undefined for stdio. */
  readonly url: string | undefined;
}

/** The values of the placeholders of a command. */
export interface Filling {
  /** The file with the servers, as this program wants it. */
  file(dialect: string): string;
  /** The words of the one server. */
  readonly server: readonly string[];
  readonly port: number;
  /** A folder that is empty at the start of the gateway. */
  readonly home: string;
}

const FILE = /\{config(?::(\w+))?\}/g;
const SERVER = '{server}';
const SERVER_LINE = '{server-line}';
const QUOTED = /"([^"]*)"|'([^']*)'|([^\s"']+)/g;

/** Reads `NAME=COMMAND` or `NAME@VERSION=COMMAND`. */
export function stdioGateway(text: string): GatewaySpec {
  const [head, command] = named('--target', text);
  const words = wordsOf(command);
  if (words.length === 0) throw new Error(`--target: ${JSON.stringify(text)} has no command`);
  return { ...head, words, url: undefined };
}

/** Reads `NAME=URL COMMAND` or `NAME@VERSION=URL COMMAND`. */
export function httpGateway(text: string): GatewaySpec {
  const [head, rest] = named('--url', text);
  const [url = '', ...words] = wordsOf(rest);
  if (!url.startsWith('http://') || words.length === 0)
    throw new Error(`--url: ${JSON.stringify(text)} is not NAME=http://… COMMAND`);
  return { ...head, words, url };
}

/** How a gateway with this command gets its servers. */
export function serversBy({ words }: GatewaySpec): ServersBy {
  if (words.some((word) => word.search(FILE) !== -1)) return 'file';
  return words.includes(SERVER) || words.includes(SERVER_LINE) ? 'one command' : 'add_server';
}

/** The words with everything in place of the placeholders. */
export function filled(words: readonly string[], filling: Filling): readonly string[] {
  return words.flatMap((word) => {
    if (word === SERVER) return filling.server;
    if (word === SERVER_LINE) return [filling.server.map(quoted).join(' ')];
    const withFile = word.replaceAll(FILE, (_, dialect?: string) => filling.file(dialect ?? 'plain'));
    return [withFile.replaceAll('{port}', String(filling.port)).replaceAll('{home}', filling.home)];
  });
}

/** The words of a command line; quotes keep white space in a word, and there is no other syntax of a shell. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(QUOTED)].map(([, double, single, plain]) => double ?? single ?? plain ?? '');
}

function quoted(word: string): string {
  return /\s/.test(word) ? `"${word}"` : word;
}

type Head = Pick<GatewaySpec, 'name' | 'version'>;

function named(flag: string, text: string): readonly [head: Head, rest: string] {
  const at = text.indexOf('=');
  if (at < 1) throw new Error(`${flag}: ${JSON.stringify(text)} has no name: NAME=…`);
  const [name = '', version] = text.slice(0, at).split('@');
  return [{ name, version }, text.slice(at + 1)];
}
