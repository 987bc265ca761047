import type { LoadedConfig, LoadedServer } from '../config/load-config.js';
import { isObject, type JsonObject } from '../clients/json-object.js';
import type { Announcement } from './announcement.js';
import { connectInstance, instanceOf } from './instances.js';
import { processPlaces } from './instance-host.js';
import type { McpConnection } from './mcp-connection.js';
import { parseServerState, type ServerState } from './server-state.js';
import { startShortMux, type ShortMuxOptions } from './short-mux.js';

/** How a server of the config fares. */
export type Outcome =
  | {
      readonly kind: 'running';
      readonly name: string;
      readonly state: ServerState;
      readonly startMs?: number;
    }
  | { readonly kind: 'starting'; readonly name: string }
  | { readonly kind: 'failed'; readonly name: string; readonly reason: string }
  | { readonly kind: 'disabled' | 'misconfigured'; readonly name: string };

/** The servers of a config as they run: in a mcpmux that serves it, or in one for the time of this command. */
export interface LiveServers extends AsyncDisposable {
  readonly connection: McpConnection;
  /** In the order of the config. */
  readonly outcomes: readonly Outcome[];
  /** Every server, those of agents included. */
  readonly states: readonly ServerState[];
  /** The mcpmux that runs; undefined when this is one for the time of this command. */
  readonly instance?: Announcement;
}

/** How servers are come by. */
export interface LiveOptions extends ShortMuxOptions {
  /** They are started here even where a mcpmux serves the config. */
  readonly fresh?: boolean | undefined;
}

/** Connects to the mcpmux that serves the config, or starts its servers here. */
export async function liveServers(config: LoadedConfig, options: LiveOptions): Promise<LiveServers> {
  const instance = options.fresh === true ? undefined : instanceOf(config.file, processPlaces());
  const connection = instance === undefined ? undefined : await connectInstance(instance);
  if (instance === undefined || connection === undefined) return startedHere(config, options);
  const states = await statesOf(connection);
  const outcomes = wanted(config, options).map((server) => outcomeIn(server, states, instance));
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

/** The servers of a mux, as `list_servers` tells. */
export async function statesOf(connection: McpConnection): Promise<readonly ServerState[]> {
  const { servers } = await connection.own('list_servers');
  const entries: readonly unknown[] = Array.isArray(servers) ? servers : [];
  return entries.filter(isObject).map((entry: JsonObject) => parseServerState(entry));
}

async function startedHere(config: LoadedConfig, options: ShortMuxOptions): Promise<LiveServers> {
  const short = await startShortMux(config, options);
  const states = await statesOf(short.connection);
  const outcomes = short.outcomes.map((outcome): Outcome => {
    if (outcome.kind === 'failed' || outcome.kind !== 'running') return outcome;
    const state = states.find(({ name }) => name === outcome.name);
    const reason = 'it ended right after its start';
    return state === undefined
      ? { kind: 'failed', name: outcome.name, reason }
      : { kind: 'running', name: outcome.name, state, startMs: outcome.startMs };
  });
  return {
    connection: short.connection,
    outcomes,
    states,
    [Symbol.asyncDispose]: () => short[Symbol.asyncDispose](),
  };
}

function wanted({ servers }: LoadedConfig, { only }: ShortMuxOptions): readonly LoadedServer[] {
  return servers.filter(({ name }) => only === undefined || only.includes(name));
}

function outcomeIn(server: LoadedServer, states: readonly ServerState[], { pid }: Announcement): Outcome {
  const { name, status } = server;
  const state = states.find((candidate) => candidate.name === name);
  // One that sleeps has its tools, and runs when it is called.
  if (state?.status === 'running' || state?.status === 'idle') return { kind: 'running', name, state };
  if (state?.status === 'starting') return { kind: 'starting', name };
  if (state?.status === 'crashed') return { kind: 'failed', name, reason: state.problem ?? 'it crashed' };
  if (status !== 'ready') return { kind: status, name };
  return {
    kind: 'failed',
    name,
    reason: `the mcpmux that runs (pid ${pid}) does not have it: mcpmux reload`,
  };
}
