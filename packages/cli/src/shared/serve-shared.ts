import { rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import process from 'node:process';

import { formatProblem, loadConfig, wantedServers } from '@mcpmux/config';
import type { ConfigLocation } from '@mcpmux/config/find';
import type { Mux } from '@mcpmux/core';

import { ExitCode } from '../base/exit-code.js';
import { writeErr } from '../base/terminal-output.js';
import { inForceForAll, type ConfigInForce } from '../config/config-in-force.js';
import { thisProcess } from '../config/this-process.js';
import type { SharedCommand } from '../live/control-line.js';
import { hostInstance } from '../live/instance-host.js';
import { processPlaces } from '../live/instance-folder.js';
import { protectStreams } from '../log/protect-streams.js';
import { StderrLogger } from '../log/stderr-logger.js';
import { ServedPage } from '../page/served-page.js';
import { sharingDigest, type SharingDigest } from '../relay/sharing-digest.js';
import { sharedFiles, type SharedFiles } from '../relay/shared-address.js';
import { fitHeapGrowth } from '../serve/heap-growth.js';
import { lazyLogins } from '../serve/lazy-stores.js';
import { applyWithoutConfig } from '../serve/serve-config.js';
import { endSoon, exitOnDefect } from '../serve/process-end.js';
import { NO_CONFIG, servedConfig, type UsableConfigFound } from '../serve/served-config.js';
import { muxOf, storeOf } from '../serve/served-mux.js';
import { entranceOf } from '../serve/serve-guards.js';
import { selectionOf, type ServeOptions } from '../serve/serve-options.js';
import { handleSignals } from '../serve/signals.js';
import type { IdleTime } from './idle-time.js';
import { SharedServers } from './shared-servers.js';
import { Windows } from './windows.js';

/** The options of a shared process. */
export interface SharedOptions {
  /** Path of the socket that windows connect to. */
  readonly socket: string;
  /** The time for which the process stays without windows. */
  readonly idle: IdleTime;
}

const MAX_LOG_BYTES = 1024 * 1024;
const LOG_CHECK_MS = 60_000;

/** The parts of a shared process that is ready to listen. */
interface Prepared {
  readonly mux: Mux;
  readonly servers: SharedServers | undefined;
  readonly location: ConfigLocation | undefined;
  readonly inForce: ConfigInForce;
  readonly logger: StderrLogger;
}

/**
 * Serves the windows that connect to a socket, until there has been no window for a while or a signal comes. Returns
 * the exit code.
 */
export async function serveShared(options: ServeOptions, shared: SharedOptions): Promise<number> {
  protectStreams();
  const prepared = await prepare(options, shared);
  if ('exitCode' in prepared) return prepared.exitCode;
  const { mux } = prepared;
  const exitCode = await serveWindows(prepared, options, shared);
  await mux.close();
  endSoon(exitCode);
  return exitCode;
}

async function prepare(
  options: ServeOptions,
  { idle }: SharedOptions,
): Promise<Prepared | { readonly exitCode: number }> {
  const found = await servedConfig(options);
  if ('exitCode' in found) return found;
  if (!isUsable(found, options)) return { exitCode: ExitCode.Usage };
  const logger = new StderrLogger(options.logLevel, options.logFormat);
  const started: { servers?: SharedServers } = {};
  const store = await storeOf(options, found, () => started.servers?.start());
  // The clients are programs of this user, as on stdio. Clients of both eras share the servers.
  const forWindows = {
    addPolicy: { mode: 'allow' },
    firstEra: 'modern',
    ...options,
    hasWindows: true,
  } as const;
  const config = found.kind === 'found' ? found.location.file : undefined;
  const mux = muxOf(forWindows, logger, store, { logins: lazyLogins(found), config });
  const entrance = await entranceOf(found, mux, logger, options.telemetry === true);
  if ('exitCode' in entrance) return entrance;
  exitOnDefect();
  await logger.start();
  if (found.kind !== 'found') {
    void applyWithoutConfig(mux, logger, options);
    const inForce = inForceForAll(() => undefined);
    return { mux, servers: undefined, location: undefined, inForce, logger };
  }
  const { guards, applied } = entrance;
  const servers = new SharedServers(found.location, { mux, logger, options, guards, applied, idle });
  started.servers = servers;
  return { mux, servers, location: found.location, inForce: servers, logger };
}

/** Resolves with the exit code when no new window can connect. Windows may still be connected. */
async function serveWindows(
  { mux, servers, location, inForce, logger }: Prepared,
  options: ServeOptions,
  { socket, idle }: SharedOptions,
): Promise<number> {
  let end: () => void = () => undefined;
  const ended = new Promise<number>((resolve) => (end = () => resolve(ExitCode.Ok)));
  const signalled = new Promise<number>(handleSignals);
  const files = sharedFiles(socket, processPlaces());
  const applied = async (): Promise<unknown> => servers?.apply();
  const page = new ServedPage({ mux, location, logger, options, applied, inForce });
  const windows = new Windows({ mux, servers, logger }, idle, end);
  let leave: () => void = () => undefined;
  const leaveAll = (): void => {
    leave();
    windows.leave();
  };
  try {
    const instance = await hostInstance({
      mux,
      config: location?.file,
      selection: selectionOf(options),
      reloadConfig: async () => (await servers?.apply()) ?? NO_CONFIG,
      page,
      shared: {
        socket,
        onWindow: (connection, opening) => windows.add(connection, opening),
        onVisitor: (connection, window) => windows.visit(connection, window),
        answer: (command) => answerOf(command, windows, files, { end, leave: leaveAll }),
      },
    });
    void fitHeapGrowth(mux, false);
    const log = boundLog(files.log);
    leave = () => {
      leave = () => undefined;
      log.stop();
      instance.leave();
      page.close();
    };
    const exitCode = await Promise.race([ended, signalled]);
    leave();
    await servers?.remember();
    return exitCode;
  } catch (error) {
    // Another process for the same windows was faster, and the windows use that process.
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') return ExitCode.Ok;
    throw error;
  } finally {
    windows.close();
  }
}

/** The functions that end a shared process. */
interface Life {
  /** Ends the process and its windows. */
  readonly end: () => void;
  /** Leaves the socket to the next process, and ends after the last call. */
  readonly leave: () => void;
}

function answerOf(
  command: SharedCommand,
  windows: Windows,
  files: SharedFiles,
  { end, leave }: Life,
): object {
  const { shown } = windows;
  if (command === 'windows') return { windows: shown, sharing: ownSharing() };
  if (command === 'hand-over') {
    // Before the response, because the next process takes the path of the socket.
    leave();
    return { pid: process.pid };
  }
  // Windows that find this file start the next process when their client needs it.
  if (command === 'stop') writeFileSync(files.stopped, '', { mode: 0o600 });
  // After the response.
  setImmediate(end);
  return { windows: shown };
}

/**
 * Returns the settings that this process has in common with its windows. The option for its socket comes before the
 * windows' options.
 */
function ownSharing(): SharingDigest {
  const { execPath, execArgv, argv, env } = process;
  const own = argv.indexOf('--shared-socket');
  return sharingDigest(env, [execPath, ...execArgv, ...argv.slice(own + 2)]);
}

/**
 * True if the config can be served. Otherwise writes the reasons to stderr: a named config is unusable, or the profile
 * is unknown.
 */
function isUsable(found: UsableConfigFound, { only, profile }: ServeOptions): boolean {
  if (found.kind !== 'found') return true;
  const { origin } = found.location;
  if (profile === undefined && origin !== 'flag' && origin !== 'environment') return true;
  const loaded = loadConfig(found.location, thisProcess());
  const { refusal } = loaded.isUsable ? wantedServers(loaded, { only, profile }) : {};
  const problems = loaded.isUsable ? [] : loaded.problems.map(formatProblem);
  for (const problem of refusal === undefined ? problems : [refusal]) writeErr(`mcpmux: ${problem}\n`);
  return loaded.isUsable && refusal === undefined;
}

/** Empties the log of this process when it is too long, because the process runs for days. */
function boundLog(file: string): { stop(): void } {
  const check = (): void => {
    const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
    if (size > MAX_LOG_BYTES) truncateSync(file);
  };
  const timer = setInterval(check, LOG_CHECK_MS).unref();
  return {
    stop: () => {
      clearInterval(timer);
      rmSync(file, { force: true });
    },
  };
}
