import { rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import process from 'node:process';

import { errorCodeOf } from '@mcpmux/core';

import { formatProblem, loadConfig, wantedServers } from '@mcpmux/config';
import type { ConfigChange } from '@mcpmux/config/follow';

import { ExitCode } from '../base/exit-code.js';
import { configInForce } from '../config/config-in-force.js';
import { thisProcess } from '../config/this-process.js';
import type { SharedMethod, SharingDigest } from '../live/admin-methods.js';
import type { InstanceComponents } from '../live/instance-components.js';
import { processPlaces } from '../live/instance-folder.js';
import { hostInstance } from '../live/instance-host.js';
import { protectStreams } from '../log/protect-streams.js';
import { ServedPage } from '../page/served-page.js';
import { sharingDigest } from '../window/sharing-digest.js';
import { sharedFiles, type SharedFiles } from '../window/shared-address.js';
import { fitHeapGrowth } from '../serve/heap-growth.js';
import { applyWithoutConfig } from '../serve/serve-config.js';
import { selectionOf, type ServeOptions } from '../serve/serve-options.js';
import { NO_CONFIG, servedConfig, type UsableConfigFound } from '../serve/served-config.js';
import { openMux } from '../serve/served-mux.js';
import { refused, type Refused } from '../serve/refused.js';
import { serveInProcess, type Part, type Served } from '../serve/served.js';
import type { IdleTime } from './idle-time.js';
import { SharedServers } from './shared-servers.js';
import { Windows } from './windows.js';

/** The options of a shared process. */
export interface SharedOptions {
  /** The path of the socket that windows connect to. */
  readonly socket: string;
  /** The time that the process continues to run without windows. */
  readonly idle: IdleTime;
}

const MAX_LOG_BYTES = 1024 * 1024;
const LOG_CHECK_MS = 60_000;

/**
 * Serves the windows that connect to a socket, until there are no windows for the idle time or a signal arrives.
 * Returns the exit code.
 */
export async function serveShared(options: ServeOptions, shared: SharedOptions): Promise<number> {
  protectStreams();
  const found = await servedConfig(options);
  if ('exitCode' in found) return found.exitCode;
  if (!isUsable(found, options)) return ExitCode.Usage;
  return serveInProcess((served) => open(served, found, options, shared));
}

async function open(
  served: Served,
  found: UsableConfigFound,
  options: ServeOptions,
  { socket, idle }: SharedOptions,
): Promise<Refused | undefined> {
  // Agents may add servers, because all clients belong to this user. Clients of both eras share the servers.
  const defaults = { addPolicy: { mode: 'allow' }, firstEra: 'modern' } as const;
  const opened = await openMux({ ...defaults, ...options, hasWindows: true }, found, () => servers?.start());
  if ('exitCode' in opened) return opened;
  const { mux, logger, location, guards, applied: initial } = opened;
  served.add({ stop: () => mux.close() });
  await logger.start();
  const parts = { mux, logger, guards, applied: initial, options, idle };
  const servers = location && new SharedServers(location, parts);
  if (servers === undefined) void applyWithoutConfig(mux, logger, options);
  let end: () => void = () => undefined;
  const ended = new Promise<number>((resolve) => (end = () => resolve(ExitCode.Ok)));
  const windows = new Windows({ mux, servers, logger }, idle, end);
  served.add({ ended, stop: () => windows.close() });
  served.add({ stop: () => servers?.remember() });
  const applyConfig = async (): Promise<ConfigChange> => (await servers?.apply()) ?? NO_CONFIG;
  const inForce = servers ?? configInForce(() => undefined);
  const page = new ServedPage({ mux, location, logger, options, applyConfig, inForce });
  const config = location?.file;
  const selection = selectionOf(options);
  const host = await hostWindows({ mux, config, selection, reloadConfig: applyConfig, page }, windows, {
    socket,
    end,
  });
  // Another process for the same windows opened the socket first.
  if (host === undefined) return { exitCode: ExitCode.Ok };
  served.add(host);
  void fitHeapGrowth(mux, false);
  return undefined;
}

/** Opens the socket for windows. Resolves to undefined if another process already listens on it. */
async function hostWindows(
  components: InstanceComponents,
  windows: Windows,
  { socket, end }: Pick<SharedOptions, 'socket'> & Pick<Exits, 'end'>,
): Promise<Required<Pick<Part, 'stop'>> | undefined> {
  const files = sharedFiles(socket, processPlaces());
  let stop: () => void = () => undefined;
  const leave = (): void => {
    stop();
    windows.leave();
  };
  const shared = {
    socket,
    onWindow: windows.add.bind(windows),
    onVisitor: windows.visit.bind(windows),
    answer: (method: SharedMethod) => answerOf(method, windows, files, { end, leave }),
  };
  try {
    const instance = await hostInstance({ ...components, shared });
    const log = limitLog(files.log);
    stop = () => {
      stop = () => undefined;
      log.stop();
      instance.stopListening();
      components.page?.close();
    };
    return { stop: () => stop() };
  } catch (error) {
    if (errorCodeOf(error) === 'EADDRINUSE') return undefined;
    throw error;
  }
}

/** The functions that end a shared process. */
interface Exits {
  /** Ends the process and its windows. */
  readonly end: () => void;
  /** Releases the socket for the next process, and ends this process after its last window has moved. */
  readonly leave: () => void;
}

function answerOf(method: SharedMethod, windows: Windows, files: SharedFiles, { end, leave }: Exits): object {
  const { shown } = windows;
  if (method === 'windows') return { windows: shown, sharing: ownSharing() };
  if (method === 'handOver') {
    // The socket is released before the response, because the next process then listens on the same path.
    leave();
    return { pid: process.pid };
  }
  // Windows that find this file start the next process only when their clients send a message.
  if (method === 'stop') writeFileSync(files.stopped, '', { mode: 0o600 });
  // The process ends after the response is sent.
  setImmediate(end);
  return { windows: shown };
}

/**
 * Returns the digests of the settings that this process has in common with its windows. The options of the windows
 * follow the option for the socket.
 */
function ownSharing(): SharingDigest {
  const { execPath, execArgv, argv, env } = process;
  const socketIndex = argv.indexOf('--shared-socket');
  return sharingDigest(env, [execPath, ...execArgv, ...argv.slice(socketIndex + 2)]);
}

/**
 * True if the config can be served. False if a named config is unusable or the profile is unknown, after writing the
 * reasons to stderr.
 */
function isUsable(found: UsableConfigFound, { only, profile }: ServeOptions): boolean {
  if (found.kind !== 'found') return true;
  const { origin } = found.location;
  if (profile === undefined && origin !== 'flag' && origin !== 'environment') return true;
  const loaded = loadConfig(found.location, thisProcess());
  const { refusal } = loaded.isUsable ? wantedServers(loaded, { only, profile }) : {};
  const problems = loaded.isUsable ? [] : loaded.problems.map(formatProblem);
  refused(refusal === undefined ? problems : [refusal]);
  return loaded.isUsable && refusal === undefined;
}

/** Truncates the log of this process when it becomes too long, because the process may run for days. */
function limitLog(file: string): { stop(): void } {
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
