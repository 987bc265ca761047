import { InvalidArgumentError, Option, type Command } from 'commander';

import { collect } from '../terminal/common-flags.js';

/** Where a front listens. */
export interface HttpAddress {
  readonly host: string;
  /** 0 for any that is free. */
  readonly port: number;
}

/** The flags of `mcpmux serve --http`, as commander gives them. */
export interface HttpFlags {
  /** Undefined: it is not HTTP that is served. */
  readonly http?: HttpAddress;
  readonly allowHost?: readonly string[];
  readonly allowOrigin?: readonly string[];
  /** A file with one token on each line. */
  readonly tokenFile?: string;
  /** Serves addresses that others can reach without a token. */
  readonly insecure?: boolean;
  /** What a client adds is there for it alone. */
  readonly isolated?: boolean;
  /** The transport of 2024-11-05 is served as well. */
  readonly sse?: boolean;
  readonly maxSessions?: number;
}

const LOOPBACK = '127.0.0.1';
const MAX_PORT = 65_535;
const MAX_SESSIONS = 100_000;

/** Flags that have a meaning only with `--http`. */
const WITH_HTTP: readonly Option[] = [
  new Option(
    '--allow-host <name>',
    'with --http: a name it is reached by, besides its own; repeatable',
  ).argParser(collect),
  new Option('--allow-origin <origin>', 'with --http: a web page that may use it; repeatable').argParser(
    origin,
  ),
  new Option('--token-file <file>', 'with --http: the bearer tokens it accepts, one on each line'),
  new Option('--insecure', 'with --http: no token even where others can reach it'),
  new Option('--sse', 'with --http: also the deprecated transport of 2024-11-05, at /sse'),
  new Option('--isolated', 'with --http: what a client adds is there for it alone, until it goes'),
  new Option(
    '--max-sessions <number>',
    'with --http: how many clients at the same time (default: 256)',
  ).argParser(count),
];

/** Adds the flags to a command. */
export function addHttpOptions(command: Command): void {
  command.option(
    '--http <[host:]port>',
    `serve MCP over HTTP instead (host: ${LOOPBACK}; port 0: any)`,
    httpAddress,
  );
  for (const option of WITH_HTTP) command.addOption(option);
}

/** What is wrong where a flag that has a meaning only with `--http` stands without it. */
export function strayHttpFlag({ http, ...flags }: HttpFlags): string | undefined {
  if (http !== undefined) return undefined;
  const stray = WITH_HTTP.find((option) => Object.hasOwn(flags, option.attributeName()));
  return stray && `${stray.long} needs --http`;
}

/** @throws InvalidArgumentError for what is no address */
export function httpAddress(text: string): HttpAddress {
  const [, host, digits = ''] = /^(?:(.+):)?(\d{1,5})$/.exec(text) ?? [];
  const port = Number(digits);
  const bare = host?.replace(/^\[(.+)\]$/, '$1') ?? LOOPBACK;
  const isIpv6 = host?.startsWith('[') ?? false;
  if (digits === '' || port > MAX_PORT || (bare.includes(':') && !isIpv6)) {
    throw new InvalidArgumentError('It must be a port, or HOST:PORT such as 127.0.0.1:8080 or [::1]:8080.');
  }
  return { host: bare, port };
}

function origin(text: string, before: readonly string[] = []): readonly string[] {
  if (URL.canParse(text) && new URL(text).origin === text) return [...before, text];
  throw new InvalidArgumentError('It must be an origin such as https://app.example.com, without a path.');
}

function count(text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value >= 1 && value <= MAX_SESSIONS) return value;
  throw new InvalidArgumentError(`It must be a whole number from 1 to ${MAX_SESSIONS}.`);
}
