import { InvalidArgumentError, Option, type Command } from 'commander';

import type { ClusterFlags } from '../cluster/cluster-options.js';
import { collect } from '../terminal/common-flags.js';
import { UI_LINKS, type UiLink } from '../page/ui-link.js';

/** The address of an HTTP front. */
export interface HttpAddress {
  readonly host: string;
  /** The port, or 0 for any free port. */
  readonly port: number;
}

/** The flags of `mcpmux serve --http`, as parsed by commander. */
export interface HttpFlags extends ClusterFlags {
  /** The address to listen on. Undefined if mcpmux does not serve HTTP. */
  readonly http?: HttpAddress;
  readonly allowHost?: readonly string[];
  readonly allowOrigin?: readonly string[];
  /** A file with one token per line. */
  readonly tokenFile?: string;
  /** Admits clients without a token, even if other machines can reach the address. */
  readonly insecure?: boolean;
  /** Makes servers that a client adds visible only to that client's session. */
  readonly isolated?: boolean;
  /** Also serves the HTTP transport of revision 2024-11-05. */
  readonly sse?: boolean;
  readonly maxSessions?: number;
  /** Also serves the page, at `/ui`. The value selects the link that mcpmux prints at startup. */
  readonly ui?: UiLink;
  /** Serves only the page, without MCP. Set by `mcpmux ui`. */
  readonly pageOnly?: boolean;
}

const LOOPBACK_ADDRESS = '127.0.0.1';
/** The default port of `--http`. A change would break client configurations that contain it. */
const DEFAULT_PORT = 6270;
const MAX_PORT = 65_535;
const MAX_SESSIONS = 100_000;

/** Returns the options that require `--http`. */
const createHttpOptions = (): readonly Option[] => [
  new Option('--allow-host <name>', 'with --http: a further host name of this mcpmux; repeatable').argParser(
    collect,
  ),
  new Option('--allow-origin <origin>', 'with --http: an origin that may connect; repeatable').argParser(
    parseOrigin,
  ),
  new Option('--token-file <file>', 'with --http: a file of accepted bearer tokens, one on each line'),
  new Option('--insecure', 'with --http: require no token, even if other machines can connect'),
  new Option('--sse', 'with --http: also the deprecated transport of 2024-11-05, at /sse'),
  new Option(
    '--ui [link]',
    'with --http on loopback: also the page, at /ui; prints a link: full (default), read-only, or none',
  )
    .choices(UI_LINKS)
    .preset('full'),
  new Option('--page-only', 'with --ui: serve nothing but the page').hideHelp(),
  new Option('--isolated', 'with --http: only the session of a client sees the servers that it adds'),
  new Option(
    '--cluster <url>',
    'with --http: be a node of the cluster at this server of NATS; repeatable (docs/cluster.md)',
  ).argParser(collect),
  new Option('--node <name>', 'with --cluster: the name of this node (default: the host name)'),
  new Option(
    '--max-sessions <number>',
    'with --http: the limit of sessions at the same time (default: 256)',
  ).argParser(parseSessionLimit),
];
const HTTP_OPTIONS = createHttpOptions();

/** Adds `--http` and the options that require it to a command. */
export function addHttpOptions(command: Command): void {
  const description = `serve MCP over HTTP instead (default: ${LOOPBACK_ADDRESS}:${DEFAULT_PORT}; port 0: any)`;
  command.addOption(
    new Option('--http [[host:]port]', description).preset(String(DEFAULT_PORT)).argParser(parseHttpAddress),
  );
  // Each command gets its own option objects, so that hiding an option in one command's help affects only that command.
  for (const option of createHttpOptions()) command.addOption(option);
}

/** Returns an error message if a flag requires `--http` but `--http` is missing. */
export function strayHttpFlag({ http, ...flags }: HttpFlags): string | undefined {
  if (http !== undefined) return undefined;
  const misplacedOption = HTTP_OPTIONS.find((option) => Object.hasOwn(flags, option.attributeName()));
  return misplacedOption && `${misplacedOption.long} needs --http`;
}

/**
 * Parses a port or `host:port`.
 *
 * @throws InvalidArgumentError if the text is not a valid address
 */
export function parseHttpAddress(text: string): HttpAddress {
  const [, host, digits = ''] = /^(?:(.+):)?(\d{1,5})$/.exec(text) ?? [];
  const port = Number(digits);
  const hostName = host?.replace(/^\[(.+)\]$/, '$1') ?? LOOPBACK_ADDRESS;
  const isIpv6 = host?.startsWith('[') ?? false;
  if (digits === '' || port > MAX_PORT || (hostName.includes(':') && !isIpv6)) {
    throw new InvalidArgumentError('It must be a port, or HOST:PORT such as 127.0.0.1:8080 or [::1]:8080.');
  }
  return { host: hostName, port };
}

function parseOrigin(text: string, previous: readonly string[] = []): readonly string[] {
  if (URL.canParse(text) && new URL(text).origin === text) return [...previous, text];
  throw new InvalidArgumentError('It must be an origin such as https://app.example.com, without a path.');
}

function parseSessionLimit(text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value >= 1 && value <= MAX_SESSIONS) return value;
  throw new InvalidArgumentError(`It must be a whole number from 1 to ${MAX_SESSIONS}.`);
}
