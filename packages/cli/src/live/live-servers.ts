import { PassThrough } from 'node:stream';

import { createMux, HOST, type Mux } from '@mcpmux/core';

import { VERSION } from '../base/version.js';
import { chainVariable, withVariables } from '../config/config-chain.js';
import type { LoadedConfig, LoadedServer } from '../config/load-config.js';
import { thisProcess } from '../config/this-process.js';
import { toolView } from '../config/tool-view.js';
import { wantedServers, type Selection } from '../config/wanted-servers.js';
import { LoginFiles } from '../login/login-files.js';
import type { Announcement } from './announcement.js';
import { connectInstance, instanceOf } from './instances.js';
import { processPlaces } from './instance-folder.js';
import { McpConnection } from './mcp-connection.js';
import { parseServerState, type ServerState } from './server-state.js';

/** The status of a server of the config. */
export type Outcome =
  | {
      readonly kind: 'running';
      readonly name: string;
      readonly state: ServerState;
      readonly startMs?: number;
    }
  | { readonly kind: 'starting'; readonly name: string }
  | { readonly kind: 'failed'; readonly name: string; readonly reason: string }
  | { readonly kind: 'disabled' | 'misconfigured'; readonly name: string }
  /** The running mcpmux was started with a selection that excludes this server. */
  | { readonly kind: 'not_selected'; readonly name: string; readonly reason: string };

/** The running servers of a config: in an mcpmux that serves the config, or in a temporary one for this command. */
export interface LiveServers extends AsyncDisposable {
  readonly connection: McpConnection;
  /** The outcomes in the order of the config. */
  readonly outcomes: readonly Outcome[];
  /** The states of all servers, including those that agents added. */
  readonly states: readonly ServerState[];
  /** The running mcpmux; undefined when the servers run in a temporary one for this command. */
  readonly instance?: Announcement;
}

/** Which servers to include, and where to get the servers from. */
export interface LiveOptions {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Names of the servers to include; all when absent. */
  readonly only?: readonly string[] | undefined;
  /** The start timeout per server, in milliseconds. */
  readonly timeout?: number | undefined;
  /** Starts the servers here even if an mcpmux already serves the config. */
  readonly fresh?: boolean | undefined;
}

/** Connects to the mcpmux that serves the config, or starts the servers here. */
export async function liveServers(config: LoadedConfig, options: LiveOptions): Promise<LiveServers> {
  const instance = options.fresh === true ? undefined : instanceOf(config.file, processPlaces());
  const connection = instance === undefined ? undefined : await connectInstance(instance);
  if (instance === undefined || connection === undefined) return startedHere(config, options);
  const states = await statesOf(connection);
  const outcomes = outcomesIn(config, states, instance).filter(
    ({ name }) => options.only === undefined || options.only.includes(name),
  );
  return {
    connection,
    outcomes,
    states,
    instance,
    [Symbol.asyncDispose]: () => {
      connection.close();
      return Promise.resolve();
    },
  };
}

/** The servers of a mux, as reported by `list_servers`. */
export async function statesOf(connection: McpConnection): Promise<readonly ServerState[]> {
  return (await connection.ownList('list_servers', 'servers')).map(parseServerState);
}

/** Starts the servers of a config in parallel, and waits until each one runs or has failed. */
async function startedHere({ file, servers }: LoadedConfig, options: LiveOptions): Promise<LiveServers> {
  const { only, timeout, environment } = options;
  const limits = timeout === undefined ? {} : { startTimeoutMs: timeout };
  const mux = createMux(
    { implementation: { name: 'mcpmux', version: VERSION }, limits },
    { logins: new LoginFiles(thisProcess()) },
  );
  try {
    const wanted = servers.filter(({ name }) => only === undefined || only.includes(name));
    const chain = chainVariable(file, environment);
    const starts = await Promise.all(wanted.map((server) => start(mux, server, chain)));
    const [toMux, fromMux] = [new PassThrough(), new PassThrough()];
    mux.connect({ input: toMux, output: fromMux }, { principal: HOST });
    const connection = await McpConnection.open(fromMux, toMux);
    const states = await statesOf(connection);
    const outcomes = starts.map((outcome): Outcome => {
      const { name } = outcome;
      if (outcome.kind !== 'running') return outcome;
      const state = states.find((candidate) => candidate.name === name);
      const reason = 'the server ended right after its start';
      return state === undefined
        ? { kind: 'failed', name, reason }
        : { kind: 'running', name, state, startMs: outcome.startMs };
    });
    return { connection, outcomes, states, [Symbol.asyncDispose]: () => mux.close() };
  } catch (error) {
    await mux.close();
    throw error;
  }
}

type Start =
  | Exclude<Outcome, { readonly kind: 'running' }>
  | { readonly kind: 'running'; readonly name: string; readonly startMs: number };

async function start(
  mux: Mux,
  server: LoadedServer,
  chain: Readonly<Record<string, string>>,
): Promise<Start> {
  const { name } = server;
  if (server.status !== 'ready') return { kind: server.status, name };
  const before = performance.now();
  try {
    const { config, tools } = server;
    const view = tools === undefined ? {} : { tools: toolView(tools) };
    // Shared: there is one session here, and a server's errors must be known before that session opens.
    await mux.addServer(name, { ...withVariables(config, chain), isolation: 'shared' }, view);
    return { kind: 'running', name, startMs: Math.round(performance.now() - before) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { kind: 'failed', name, reason: reason.replace(/\nIt was not added\.$/, '') };
  }
}

/** The status of a config's servers in an instance that serves the config. */
export function outcomesIn(
  config: LoadedConfig,
  states: readonly ServerState[],
  { pid, selection = {} }: Pick<Announcement, 'pid' | 'selection'>,
): readonly Outcome[] {
  // The current config counts: a profile that no longer exists selects no servers.
  const selected = new Set(wantedServers(config, selection).servers.map(({ name }) => name));
  const here = `the running mcpmux (pid ${pid})`;
  return config.servers.map((server) =>
    selected.has(server.name)
      ? outcomeOf(server, states, `${here} does not have the server: mcpmux reload`)
      : outcomeOf(
          { name: server.name, status: 'not_selected' },
          states,
          `${here} was started with ${flagsOf(selection)}`,
        ),
  );
}

function flagsOf({ only, profile }: Selection): string {
  const flags = [
    ...(only === undefined ? [] : [`--only ${only.join(',')}`]),
    ...(profile === undefined ? [] : [`--profile ${profile}`]),
  ];
  return flags.join(' ');
}

/** The states of a server that is registered and cannot be used. */
const FAILED: ReadonlySet<string> = new Set(['crashed', 'failed']);

/** @param absent the reason why an instance does not have the server */
function outcomeOf(
  { name, status }: { readonly name: string; readonly status: LoadedServer['status'] | 'not_selected' },
  states: readonly ServerState[],
  absent: string,
): Outcome {
  const state = states.find((candidate) => candidate.name === name);
  // An idle server keeps its tools and starts when a tool is called.
  if (state?.status === 'running' || state?.status === 'idle') return { kind: 'running', name, state };
  if (state?.status === 'starting') return { kind: 'starting', name };
  if (state !== undefined && FAILED.has(state.status))
    return { kind: 'failed', name, reason: state.problem ?? 'it crashed' };
  switch (status) {
    case 'ready':
      return { kind: 'failed', name, reason: absent };
    case 'not_selected':
      return { kind: status, name, reason: absent };
    case 'disabled':
    case 'misconfigured':
      return { kind: status, name };
  }
}
