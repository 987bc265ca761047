import { InvalidArgumentError, Option, type Command } from 'commander';

import {
  DEFAULT_LIMITS,
  type AddPolicy,
  type AddPolicyMode,
  type AllowedCommand,
  type Limits,
  type PinMode,
  type SandboxSettings,
} from '@mcpmux/core';
import { DEFAULT_NAME_BUDGET, MIN_NAME_BUDGET } from '@mcpmux/namespace';

import { LOG_FORMATS, LOG_LEVELS } from '../log/log-record.js';
import { addHttpOptions, type HttpFlags } from '../serve/http-options.js';
import { DEFAULT_SERVE_OPTIONS, type ServeOptions } from '../serve/serve-options.js';
import { parseAddSandbox } from './add-sandbox.js';
import { parseAllowedCommand } from './allow-command.js';

/** The options of `mcpmux serve`, as parsed by commander. */
export interface ServeFlags extends HttpFlags, Omit<ServeOptions, 'limits' | 'addPolicy'> {
  /** The start timeout per server, in seconds. */
  readonly startTimeout?: number;
  /** The maximum size of a message, in megabytes. */
  readonly maxMessage?: number;
  readonly addPolicy?: AddPolicyMode;
  readonly allowCommand?: readonly AllowedCommand[];
  readonly addSandbox?: SandboxSettings;
  /** True if the client is served as a window of a shared process. */
  readonly shared?: boolean;
  /** How long a shared process continues to run without windows, in seconds. */
  readonly sharedIdle?: number;
  /** The path of the socket on which windows connect. Set only in a shared process. */
  readonly sharedSocket?: string;
}

function addSharedOptions(command: Command): void {
  command
    .option('--shared', 'use one mcpmux and its servers for all windows (docs/shared.md)')
    .option(
      '--shared-idle <seconds>',
      'with --shared: how long the mcpmux without windows runs on (default: 600, or 0 after a single window)',
      parseSeconds,
    )
    .addOption(new Option('--shared-socket <path>').hideHelp());
}

const CATALOG_HELP = 'the config to use, created if missing; add_server with persist saves servers in it';

/** Adds the options of `mcpmux serve`. */
export function addServeOptions(command: Command): void {
  const { logLevel, logFormat } = DEFAULT_SERVE_OPTIONS;
  command
    .addOption(
      new Option('--log-level <level>', 'what to log to stderr').choices([...LOG_LEVELS]).default(logLevel),
    )
    .addOption(new Option('--log-format <format>', 'how to log').choices([...LOG_FORMATS]).default(logFormat))
    .option('--start-timeout <seconds>', 'how long a server may take to start (default: 60)', parseSeconds)
    .option('--max-message <megabytes>', 'longest message of a server or a client (default: 10)', parseSize)
    .option('--config <file>', 'the config to use (default: the file that mcpmux config path prints)')
    .option('--no-config', 'start without a config')
    .addOption(new Option('--catalog <file>', CATALOG_HELP).conflicts('config'))
    .option('--only <names>', 'start only these servers of the config', parseNames)
    .option('--profile <name>', 'start only the servers of this profile of the config')
    .option('--watch', 'apply changes to the config automatically')
    .option(
      '--telemetry',
      'record requests with OpenTelemetry, whose API and SDK you install (docs/telemetry.md)',
    )
    .option('--no-socket', 'do not let commands such as mcpmux list reach this mcpmux')
    .option('--project-config', 'also use the mcpmux.json of the working directory or of a folder above')
    .option(
      '--name-budget <characters>',
      `longest tool name shown to clients (default: ${DEFAULT_NAME_BUDGET})`,
      parseNameBudget,
    )
    .addOption(
      new Option(
        '--add-policy <policy>',
        'which servers add_server may start (default: allow; with --http: deny)',
      ).choices([...ADD_POLICIES]),
    )
    .option(
      '--allow-command <command>',
      'a whole command that add_server may start: with allowlist, or with ask without a question; repeatable',
      collectCommands,
    )
    .addOption(addSandboxOption())
    .addOption(
      new Option('--pin-tools <mode>', 'what to do with a changed tool definition (default: warn)').choices([
        ...PIN_MODES,
      ]),
    )
    .addOption(protocolOption());
  addListOptions(command);
  addSharedOptions(command);
  addHttpOptions(command);
}

function addSandboxOption(): Option {
  const description =
    'with --add-policy sandbox: what these servers may do, as JSON (default: {}, no network; docs/sandbox.md)';
  return new Option('--add-sandbox <settings>', description).argParser(parseSandbox);
}

function addListOptions(command: Command): void {
  command
    .addOption(exposureOption())
    .addOption(toolsOption())
    .option('--code-mode', 'offer run_code, which runs code that calls tools, in a sandbox (docs/context.md)')
    .option('--wait-for-servers', 'the first tools/list waits for servers that start, 5 s at most (default)')
    .option('--no-wait-for-servers', 'no tools/list waits for servers');
}

function exposureOption(): Option {
  const description = 'which tools are in tools/list; search_tools finds the others (default: all)';
  return new Option('--exposure <mode>', description).choices(['all', 'search', 'auto']);
}

function toolsOption(): Option {
  const description =
    "which of mcpmux's own tools are listed: all (default), minimal (search_tools, call_tool), none";
  return new Option('--tools <set>', description).choices(['all', 'minimal', 'none']);
}

function protocolOption(): Option {
  const description = 'the era of the protocol of servers whose entry names none (default: auto)';
  return new Option('--protocol <era>', description).choices(['auto', 'legacy', 'modern']);
}

const PIN_MODES: readonly PinMode[] = ['off', 'warn', 'block'];
const ADD_POLICIES: readonly AddPolicyMode[] = ['allow', 'sandbox', 'allowlist', 'ask', 'deny'];

function addPolicyOf(
  mode: AddPolicyMode,
  commands: readonly AllowedCommand[] = [],
  sandbox?: SandboxSettings,
): AddPolicy {
  if (mode === 'sandbox') return { mode, ...(sandbox && { sandbox }) };
  return mode === 'allow' || mode === 'deny' ? { mode } : { mode, commands };
}

function parseSandbox(text: string): SandboxSettings {
  const parsed = parseAddSandbox(text);
  if ('problem' in parsed) throw new InvalidArgumentError(parsed.problem);
  return parsed.settings;
}

function collectCommands(text: string, previous: readonly AllowedCommand[] = []): readonly AllowedCommand[] {
  const parsed = parseAllowedCommand(text);
  if ('problem' in parsed) throw new InvalidArgumentError(parsed.problem);
  return [...previous, parsed];
}

/** Returns the error for contradictory flags, such as an allowlist that would have no effect. */
export function contradictionIn(flags: ServeFlags): string | undefined {
  const { addPolicy = 'allow', allowCommand } = flags;
  if (flags.addSandbox !== undefined && addPolicy !== 'sandbox')
    return '--add-sandbox needs --add-policy sandbox';
  const takesCommands = addPolicy === 'allowlist' || addPolicy === 'ask';
  return allowCommand === undefined || takesCommands
    ? sharedContradiction(flags)
    : '--allow-command needs --add-policy allowlist or --add-policy ask';
}

function sharedContradiction({
  http,
  shared,
  sharedIdle,
  sharedSocket,
  socket,
}: ServeFlags): string | undefined {
  const isShared = shared === true || sharedSocket !== undefined;
  if (isShared && http !== undefined)
    return '--shared does not go with --http, which many clients share anyway';
  if (isShared && socket === false) return '--shared needs the socket that --no-socket leaves out';
  return sharedIdle === undefined || isShared ? undefined : '--shared-idle needs --shared';
}

/** Converts flags to the options of {@link serve}. */
export function serveOptions({
  startTimeout,
  maxMessage,
  addPolicy,
  allowCommand,
  addSandbox: sandbox,
  ...flags
}: ServeFlags): ServeOptions {
  return {
    ...flags,
    limits: {
      ...(startTimeout !== undefined && { startTimeoutMs: startTimeout * 1000 }),
      ...(maxMessage !== undefined && lineLimits(maxMessage)),
    },
    ...(addPolicy !== undefined && { addPolicy: addPolicyOf(addPolicy, allowCommand, sandbox) }),
  };
}

/** Returns the limits on line length. A peer that exceeds the limit for endless lines is disconnected. */
function lineLimits(maxMessage: number): Pick<Limits, 'maxLineBytes' | 'maxEndlessLineBytes'> {
  const maxLineBytes = maxMessage * 1_000_000;
  return {
    maxLineBytes,
    maxEndlessLineBytes: Math.max(DEFAULT_LIMITS.maxEndlessLineBytes, 2 * maxLineBytes),
  };
}

function parseNames(text: string): readonly string[] {
  return text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

/** The largest value of `--max-message`. It stays well below the maximum length of a Node.js string. */
const MAX_MEGABYTES = 256;

function parseSize(text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value >= 1 && value <= MAX_MEGABYTES) return value;
  throw new InvalidArgumentError(`It must be a whole number of megabytes from 1 to ${MAX_MEGABYTES}.`);
}

function parseNameBudget(text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value >= MIN_NAME_BUDGET) return value;
  throw new InvalidArgumentError(`It must be a whole number of characters, at least ${MIN_NAME_BUDGET}.`);
}

/** The maximum duration, in seconds. Node.js fires a timer of 2^31 ms or more after 1 ms. */
const MAX_SECONDS = 2_000_000;

function parseSeconds(text: string): number {
  const value = Number(text);
  if (Number.isFinite(value) && value > 0 && value <= MAX_SECONDS) return value;
  throw new InvalidArgumentError(`It must be a number of seconds above 0, and at most ${MAX_SECONDS}.`);
}
