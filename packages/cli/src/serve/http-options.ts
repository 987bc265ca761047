import { InvalidArgumentError, type Command } from 'commander';

import type { HttpLimits } from '@mcpmux/http';

/** Where a front listens. */
export interface HttpAddress {
  readonly host: string;
  /** 0 for any that is free. */
  readonly port: number;
}

/** How `mcpmux serve --http` behaves. */
export interface HttpOptions {
  readonly http: HttpAddress;
  readonly allowHosts: readonly string[];
  readonly allowOrigins: readonly string[];
  /** A file with one token on each line. */
  readonly tokenFile?: string;
  /** Serves addresses that others can reach without a token. */
  readonly insecure: boolean;
  /** What a client adds is there for it alone. */
  readonly isolated: boolean;
  /** The transport of 2024-11-05 is served as well. */
  readonly sse: boolean;
  readonly limits: Partial<HttpLimits>;
}

/** Its flags, as commander gives them. */
export interface HttpFlags {
  readonly http?: HttpAddress;
  readonly allowHost?: readonly string[];
  readonly allowOrigin?: readonly string[];
  readonly tokenFile?: string;
  readonly insecure?: boolean;
  readonly isolated?: boolean;
  readonly sse?: boolean;
  readonly maxSessions?: number;
}

const LOOPBACK = '127.0.0.1';
const MAX_PORT = 65_535;
const MAX_SESSIONS = 100_000;

/** Adds the flags to a command. */
export function addHttpOptions(command: Command): void {
  command
    .option(
      '--http <[host:]port>',
      `serve MCP over HTTP instead (host: ${LOOPBACK}; port 0: any)`,
      httpAddress,
    )
    .option(
      '--allow-host <name>',
      'with --http: a name it is reached by, besides its own; repeatable',
      collected,
    )
    .option('--allow-origin <origin>', 'with --http: a web page that may use it; repeatable', origin)
    .option('--token-file <file>', 'with --http: the bearer tokens it accepts, one on each line')
    .option('--insecure', 'with --http: no token even where others can reach it')
    .option('--sse', 'with --http: also the deprecated transport of 2024-11-05, at /sse')
    .option('--isolated', 'with --http: what a client adds is there for it alone, until it goes')
    .option(
      '--max-sessions <number>',
      'with --http: how many clients at the same time (default: 256)',
      count,
    );
}

/** What the flags mean; undefined when it is not HTTP that is served. */
export function httpOptions(flags: HttpFlags): HttpOptions | undefined {
  const { http, allowHost = [], allowOrigin = [], tokenFile, maxSessions } = flags;
  const { insecure = false, isolated = false, sse = false } = flags;
  if (http === undefined) return undefined;
  return {
    http,
    allowHosts: allowHost,
    allowOrigins: allowOrigin,
    ...(tokenFile !== undefined && { tokenFile }),
    insecure,
    isolated,
    sse,
    limits: maxSessions === undefined ? {} : { maxSessions },
  };
}

/** What is wrong where a flag that has a meaning only with `--http` stands without it. */
export function strayHttpFlag({ http, ...flags }: HttpFlags): string | undefined {
  if (http !== undefined) return undefined;
  const names: readonly (readonly [string, unknown])[] = [
    ['--allow-host', flags.allowHost],
    ['--allow-origin', flags.allowOrigin],
    ['--token-file', flags.tokenFile],
    ['--insecure', flags.insecure],
    ['--isolated', flags.isolated],
    ['--sse', flags.sse],
    ['--max-sessions', flags.maxSessions],
  ];
  const stray = names.find(([, value]) => value !== undefined);
  return stray && `${stray[0]} needs --http`;
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

function collected(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text];
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
