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
import { folderContext } from '../live/instance-folder.js';
import { hostInstance } from '../live/instance-host.js';
import { protectStreams } from '../log/protect-streams.js';
import { ServedPage } from '../page/served-page.js';
import { sharingDigest } from '../window/sharing-digest.js';
import { sharedFiles, type SharedFiles } from '../window/shared-address.js';
import { tuneHeapGrowth } from '../serve/heap-growth.js';
import { applyWithoutConfig } from '../serve/serve-config.js';
import { selectionOf, type ServeOptions } from '../serve/serve-options.js';
import { NO_CONFIG_CHANGE, findServedConfig, type UsableConfigFound } from '../serve/served-config.js';
import { openMux } from '../serve/served-mux.js';
import { refuseStart, type StartRefusal } from '../serve/refused.js';
import { serveInProcess, type ServedPart, type ServedParts } from '../serve/served.js';
import type { IdleTime } from './idle-time.js';
import { SharedServers } from './shared-servers.js';
import { Windows } from './windows.js';

/** The options of a shared process. */
export interface SharedProcessOptions {
  /** The path of the socket that windows connect to. */
  readonly socket: string;
  /** How long the process continues to run without windows. */
  readonly idle: IdleTime;
}

const MAX_LOG_BYTES = 1024 * 1024;
const LOG_CHECK_INTERVAL_MS = 60_000;

/** Serves windows until a signal arrives or no window is connected for the idle time. Resolves to the exit code. */
export async function serveShared(options: ServeOptions, shared: SharedProcessOptions): Promise<number> {
  protectStreams();
  const found = await findServedConfig(options);
  if ('exitCode' in found) return found.exitCode;
  if (!isConfigServable(found, options)) return ExitCode.Usage;
  return serveInProcess((served) => startServing(served, found, options, shared));
}

async function startServing(
  served: ServedParts,
  found: UsableConfigFound,
  options: ServeOptions,
  { socket, idle }: SharedProcessOptions,
): Promise<StartRefusal | undefined> {
  // Agents may add servers, because all clients belong to this user. Clients of both eras share the servers.
  const defaults = { addPolicy: { mode: 'allow' }, firstEra: 'modern' } as const;
  const openedMux = await openMux({ ...defaults, ...options, hasWindows: true }, found, () =>
    servers?.start(),
  );
  if ('exitCode' in openedMux) return openedMux;
  const { mux, logger, location, guards, applied: initialConfig } = openedMux;
  served.add({ stop: () => mux.close() });
  await logger.start();
  const parts = { mux, logger, guards, applied: initialConfig, options, idle };
  const servers = location && new SharedServers(location, parts);
  if (servers === undefined) void applyWithoutConfig(mux, logger, options);
  let end: () => void = () => undefined;
  const ended = new Promise<number>((resolve) => (end = () => resolve(ExitCode.Ok)));
  const windows = new Windows({ mux, servers, logger }, idle, end);
  served.add({ ended, stop: () => windows.close() });
  served.add({ stop: () => servers?.saveLists() });
  const applyConfig = async (): Promise<ConfigChange> => (await servers?.reload()) ?? NO_CONFIG_CHANGE;
  const activeConfig = servers ?? configInForce(() => undefined);
  const page = new ServedPage({ mux, location, logger, options, applyConfig, activeConfig });
  const config = location?.file;
  const selection = selectionOf(options);
  const host = await hostWindows({ mux, config, selection, reloadConfig: applyConfig, page }, windows, {
    socket,
    end,
  });
  // Another process for the same windows opened the socket first.
  if (host === undefined) return { exitCode: ExitCode.Ok };
  served.add(host);
  void tuneHeapGrowth(mux, false);
  return undefined;
}

/** Opens the socket for windows. Resolves to undefined if another process already listens on it. */
async function hostWindows(
  components: InstanceComponents,
  windows: Windows,
  { socket, end }: Pick<SharedProcessOptions, 'socket'> & Pick<ExitFunctions, 'end'>,
): Promise<Required<Pick<ServedPart, 'stop'>> | undefined> {
  const files = sharedFiles(socket, folderContext());
  let stop: () => void = () => undefined;
  const handOver = (): void => {
    stop();
    windows.redirectAll();
  };
  const shared = {
    socket,
    onWindow: windows.serveWindow.bind(windows),
    onVisitor: windows.serveVisitor.bind(windows),
    carryOut: (method: SharedMethod) => carryOutMethod(method, windows, files, { end, handOver }),
  };
  try {
    const instance = await hostInstance({ ...components, shared });
    const logLimit = limitLogSize(files.logFile);
    stop = () => {
      stop = () => undefined;
      logLimit.stop();
      instance.stopListening();
      components.page?.close();
    };
    return { stop: () => stop() };
  } catch (error) {
    if (errorCodeOf(error) === 'EADDRINUSE') return undefined;
    throw error;
  }
}

interface ExitFunctions {
  /** Ends the process, which disconnects its windows. */
  readonly end: () => void;
  /** Releases the socket for the next process. This process ends once its last window has moved there. */
  readonly handOver: () => void;
}

function carryOutMethod(
  method: SharedMethod,
  windows: Windows,
  files: SharedFiles,
  { end, handOver }: ExitFunctions,
): object {
  const { connectedWindows } = windows;
  if (method === 'windows') return { windows: connectedWindows, sharing: ownSharingDigest() };
  if (method === 'handOver') {
    // The socket is released before the response is sent, because the next process then listens on the same path.
    handOver();
    return { pid: process.pid };
  }
  // While this file exists, a relay starts the next process only after its client sends a message.
  if (method === 'stop') writeFileSync(files.stoppedFile, '', { mode: 0o600 });
  // The end is deferred so that the response is sent first.
  setImmediate(end);
  return { windows: connectedWindows };
}

/**
 * Returns the digests of the settings that this process shares with its windows. The windows' options follow
 * `--shared-socket` and its value on the command line.
 */
function ownSharingDigest(): SharingDigest {
  const { execPath, execArgv, argv, env } = process;
  const socketIndex = argv.indexOf('--shared-socket');
  return sharingDigest(env, [execPath, ...execArgv, ...argv.slice(socketIndex + 2)]);
}

/** False if an explicitly selected config is unusable or the profile is unknown. Writes the reasons to stderr. */
function isConfigServable(found: UsableConfigFound, { only, profile }: ServeOptions): boolean {
  if (found.kind !== 'found') return true;
  const { origin } = found.location;
  if (profile === undefined && origin !== 'flag' && origin !== 'environment') return true;
  const config = loadConfig(found.location, thisProcess());
  const { refusal } = config.isUsable ? wantedServers(config, { only, profile }) : {};
  const problems = config.isUsable ? [] : config.problems.map(formatProblem);
  refuseStart(refusal === undefined ? problems : [refusal]);
  return config.isUsable && refusal === undefined;
}

/** Empties this process's log whenever it becomes too long, because the process may run for days. */
function limitLogSize(file: string): { stop(): void } {
  const truncateIfTooLong = (): void => {
    const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
    if (size > MAX_LOG_BYTES) truncateSync(file);
  };
  const timer = setInterval(truncateIfTooLong, LOG_CHECK_INTERVAL_MS).unref();
  return {
    stop: () => {
      clearInterval(timer);
      rmSync(file, { force: true });
    },
  };
}
